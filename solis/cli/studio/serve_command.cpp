// solis serve: the studio, a page in the browser and an API for scripts.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include "solis/base/interrupt.h"
#include "solis/cli/commands.h"
#include "solis/cli/version.h"
#include "solis/studio/studio.h"

extern char** environ;

namespace solis::cli {
namespace {

constexpr std::uint16_t kUsualPort = 7771;
constexpr int kPortsTried = 20;

struct ServeCommand {
    std::string listen = "127.0.0.1";
    int port = kUsualPort;
    bool port_given = false;
    bool open = false;
    std::vector<std::string> models;  // NAME=FILE
    std::string map;
    std::string games;
    std::uint64_t points = 20'000;
    std::string cache;
    std::vector<std::string> matches;
    std::vector<std::string> runs;
    int threads = 0;
    double rate = 200;
};

studio::ModelSource model_source(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos && equals > 0) {
        return {text.substr(0, equals), text.substr(equals + 1)};
    }
    return {std::filesystem::path(text).stem().string(), text};
}

std::string machine_name() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

studio::StudioOptions studio_options(const ServeCommand& command) {
    studio::StudioOptions options;
    options.version = kVersion;
    for (const std::string& model : command.models) options.models.push_back(model_source(model));
    options.found = studio::installed_models();
    options.match_logs = command.matches;
    options.run_folders = command.runs;
    options.threads = static_cast<std::size_t>(command.threads);
    options.map.file = command.map;
    options.map.games = command.games;
    options.map.count = command.points;
    options.map.cache = command.cache.empty() ? studio::user_cache_folder() : command.cache;
    options.guard.rate = command.rate;
    if (!studio::is_loopback(command.listen)) {
        options.guard.token = studio::random_token();
        options.guard.numeric_hosts = true;
        options.guard.hosts = {machine_name(), machine_name() + ".local"};
    }
    return options;
}

// A port that is free now; 0 where none is found.
int free_port_near(const ServeCommand& command) {
    for (int port = command.port + 1; port < command.port + kPortsTried && port < 65536; ++port) {
        studio::HttpOptions trial;
        trial.address = command.listen;
        trial.port = static_cast<std::uint16_t>(port);
        if (studio::HttpServer::listen(trial, {})) return port;
    }
    return 0;
}

// Listens where it was asked to; on the next free port where the usual one is taken and no other
// was asked for.
Result<std::unique_ptr<studio::HttpServer>> listen(const ServeCommand& command,
                                                   studio::Studio& studio, Console& console) {
    studio::HttpOptions http;
    http.address = command.listen;
    http.port = static_cast<std::uint16_t>(command.port);
    const auto handler = [&studio](const studio::HttpRequest& request) {
        return studio.answer(request);
    };
    auto server = studio::HttpServer::listen(http, handler);
    if (server || !studio::HttpServer::port_is_taken(server.error())) return server;
    const int other = free_port_near(command);
    if (command.port_given || other == 0) {
        return fail(fmt::format("port {} is taken by another program", command.port),
                    other == 0 ? "give another one with --port"
                               : fmt::format("solis serve --port {}", other));
    }
    console.note("port {} is taken by another program: using {}", command.port, other);
    http.port = static_cast<std::uint16_t>(other);
    return studio::HttpServer::listen(http, handler);
}

std::string link_to(const ServeCommand& command, std::uint16_t port, const std::string& token) {
    std::string host = command.listen;
    if (host == "0.0.0.0" || host == "::") host = machine_name();
    if (host.find(':') != std::string::npos) host = fmt::format("[{}]", host);
    return fmt::format("http://{}:{}/{}", host, port, token.empty() ? "" : "?token=" + token);
}

// Leaves it to the desktop which browser that is.
void open_browser(const std::string& link, Console& console) {
    std::string program = "xdg-open", address = link;
    char* const arguments[] = {program.data(), address.data(), nullptr};
    pid_t child = 0;
    if (::posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0) {
        console.note("there is no xdg-open: open the link yourself");
    }
}

ExitCode run_serve(const ServeCommand& command, Console& console) {
    InterruptWatch interrupt;
    std::signal(SIGPIPE, SIG_IGN);
    const studio::StudioOptions options = studio_options(command);
    const auto studio = studio::Studio::open(options);
    if (!studio) return console.error(studio.error());
    const auto server = listen(command, **studio, console);
    if (!server) return console.error(server.error());
    const std::string link = link_to(command, (*server)->port(), options.guard.token);
    console.print("{}\n", link);
    (void)std::fflush(stdout);
    if (!options.guard.token.empty()) {
        console.note("reachable from other machines by whoever has this link");
    }
    console.note("Ctrl-C ends it");
    if (command.open) open_browser(link, console);
    while (!interrupt.requested()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    (*studio)->stop();
    (*server)->stop();
    console.note("ended");
    return ExitCode::Ok;
}

}  // namespace

void add_serve(Command& parent, Session& session) {
    const auto options = std::make_shared<ServeCommand>();
    Command* command = parent.add_subcommand(
        "serve", "the studio: play and analyse in the browser, or by the API (docs/api.md)");
    Option* port = command->add_option("--port", options->port, "of the server")
                       ->range(0, 65535)
                       ->capture_default_str();
    command
        ->add_option("--listen", options->listen,
                     "address; other machines need the link with its token")
        ->capture_default_str();
    command->add_flag("--open", options->open, "open the page in the browser");
    command
        ->add_option("--model", options->models,
                     "NAME=FILE: another model to choose from, besides the embedded one and those "
                     "installed")
        ->one_at_a_time();
    command->add_option("--map", options->map, "map file of solis map --save");
    command->add_option("--games", options->games,
                        "PGN or store from which the map's positions are taken (default: "
                        "generated games)");
    command->add_option("--points", options->points, "positions on a new map")
        ->range(10, 1'000'000)
        ->capture_default_str();
    command->add_option("--cache", options->cache,
                        "folder for finished maps (default: the user's cache)");
    command->add_option("--match", options->matches, "log of a match to watch (solis match --log)")
        ->one_at_a_time();
    command->add_option("--run", options->runs, "folder of a training run to watch")
        ->one_at_a_time();
    command->add_option("--threads", options->threads, "for thinking, in all; 0: one per core")
        ->range(0, 1024);
    command
        ->add_option("--rate", options->rate,
                     "requests per second and address that compute; 0: any number")
        ->range(0, 1e6)
        ->capture_default_str();
    command->callback([options, port, &session] {
        options->port_given = port->count() > 0;
        session.exit_code = run_serve(*options, session.console);
    });
}

}  // namespace solis::cli
