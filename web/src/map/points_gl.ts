// Draws the points: one call of WebGL 2 for all of them, moving between two layouts inside the shader.
import type { Rgb } from "../ui/colors";
import { unit, type Camera, type Size } from "./camera";

const VERTEX = `#version 300 es
in vec2 from;
in vec2 to;
in float value;
uniform float share;
uniform vec2 centre;
uniform vec2 scale;
uniform float size;
uniform vec3 stops[6];
out vec3 color;
void main() {
  vec2 place = (mix(from, to, share) - centre) * scale;
  gl_Position = vec4(place, 0.0, 1.0);
  gl_PointSize = size;
  float at = clamp(value, 0.0, 1.0) * 5.0;
  int below = int(min(floor(at), 4.0));
  color = mix(stops[below], stops[below + 1], at - float(below));
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 color;
uniform float alpha;
uniform float size;
out vec4 result;
void main() {
  float away = length(gl_PointCoord - 0.5) * size;
  float cover = clamp(size * 0.5 - away + 0.5, 0.0, 1.0) * alpha;
  result = vec4(color * cover, cover);
}`;

function compile(gl: WebGL2RenderingContext, kind: number, source: string): WebGLShader {
  const shader = gl.createShader(kind);
  if (!shader) throw new Error("WebGL gave no shader");
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? "shader");
  return shader;
}

function link(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, VERTEX));
  gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, FRAGMENT));
  ["from", "to", "value"].forEach((name, index) => gl.bindAttribLocation(program, index, name));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "program");
  return program;
}

export class PointsGl {
  private readonly program: WebGLProgram;
  private readonly buffers: WebGLBuffer[];
  private readonly uniforms = new Map<string, WebGLUniformLocation | null>();
  private count = 0;

  private constructor(private readonly gl: WebGL2RenderingContext) {
    this.program = link(gl);
    this.buffers = [0, 1, 2].map(() => gl.createBuffer());
    for (const name of ["share", "centre", "scale", "size", "stops", "alpha"]) {
      this.uniforms.set(name, gl.getUniformLocation(this.program, name));
    }
  }

  /** Null where the browser has no WebGL 2. */
  static on(canvas: HTMLCanvasElement): PointsGl | null {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: true, premultipliedAlpha: true });
    try {
      return gl ? new PointsGl(gl) : null;
    } catch (error) {
      console.warn("the map's shaders:", error);
      return null;
    }
  }

  upload(from: Float32Array, to: Float32Array, values: Float32Array): void {
    const gl = this.gl;
    [from, to, values].forEach((data, index) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[index] ?? null);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, index === 2 ? 1 : 2, gl.FLOAT, false, 0, 0);
    });
    this.count = values.length;
  }

  /** `share` is the way from the first layout to the second; `pixels` those of the screen per CSS pixel. */
  draw(camera: Camera, size: Size, pixels: number, share: number, stops: readonly Rgb[]): void {
    const gl = this.gl;
    const at = (name: string) => this.uniforms.get(name) ?? null;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (this.count === 0) return;
    gl.useProgram(this.program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const scale = unit(camera, size);
    const style = dotStyle(this.count, camera.zoom);
    gl.uniform1f(at("share"), share);
    gl.uniform2f(at("centre"), camera.x, camera.y);
    gl.uniform2f(at("scale"), (2 * scale) / size.width, (2 * scale) / size.height);
    gl.uniform1f(at("size"), style.diameter * pixels);
    gl.uniform1f(at("alpha"), style.alpha);
    gl.uniform3fv(at("stops"), stops.flatMap((stop) => stop.map((channel) => channel / 255)));
    gl.drawArrays(gl.POINTS, 0, this.count);
  }
}

/** Small and faint where there are many points; larger when one looks closer. */
export function dotStyle(count: number, zoom: number): { diameter: number; alpha: number } {
  const base = Math.min(4.5, Math.max(1.9, 5.2 - 0.7 * Math.log10(Math.max(10, count))));
  const diameter = Math.min(9, base * Math.pow(Math.max(1, zoom), 0.35));
  const alpha = Math.min(0.95, 0.62 + 0.12 * Math.log2(Math.max(1, zoom)));
  return { diameter, alpha };
}
