// The page: style and script.
#include "solis/atlas/draw/html.h"

namespace solis::atlas {
namespace {

constexpr std::string_view kPage = R"page(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>@TITLE@</title>
<style>
html,body{margin:0;height:100%;overflow:hidden;font:13px/1.4 "DejaVu Sans",Verdana,sans-serif}
body{background:var(--background);color:var(--ink)}
canvas{position:absolute;left:0;top:0;width:100%;height:100%}
#over{cursor:grab;touch-action:none}
header{position:absolute;left:22px;top:14px;pointer-events:none}
h1{font-size:19px;margin:0}
header p{margin:2px 0;color:var(--faint)}
#controls{position:absolute;right:22px;top:16px}
button,select{font:inherit;color:var(--ink);background:var(--background);border:1px solid var(--faint);
border-radius:6px;padding:3px 10px;cursor:pointer}
#bar{position:absolute;right:22px;bottom:26px;width:190px}
#bar div{height:12px;border-radius:3px}
#bar p{margin:3px 0 0;display:flex;justify-content:space-between;font-size:11px}
#bar p.name{color:var(--faint);justify-content:center}
#tip{position:absolute;display:none;pointer-events:none;background:var(--background);max-width:320px;
border:1px solid var(--faint);border-radius:8px;padding:8px;box-shadow:0 4px 18px #0006;z-index:2}
#tip p{margin:4px 0 0;font-size:11px;overflow-wrap:anywhere}
#play{position:absolute;left:22px;bottom:22px;right:240px;display:none}
#play input{width:min(420px,50vw);vertical-align:middle}
#play canvas{position:static;display:block;width:min(560px,100%);height:90px;margin-bottom:6px}
</style></head><body>
<canvas id="points"></canvas><canvas id="over"></canvas>
<header><h1>@HEADING@</h1><p>@SUBTITLE@</p></header>
<div id="controls"><button id="reset">Fit</button> <button id="theme">Dark</button></div>
<div id="play"><canvas id="curve"></canvas><select id="which"></select>
<input id="step" type="range" min="0" value="0"> <span id="at"></span></div>
<div id="bar"><p class="name"></p><div></div><p><span></span><span></span></p></div>
<div id="tip"></div>
<script>
@SHOW@
</script>
<script>
@DATA@
)page";

constexpr std::string_view kScript = R"page(
"use strict";
const $=id=>document.getElementById(id);
const raw=Uint8Array.from(atob(data.points),c=>c.charCodeAt(0)).buffer;
const n=data.count,xy=new Uint16Array(raw,0,2*n),val=new Uint8Array(raw,4*n,n);
const paths=data.paths.filter(p=>p);
let dark=matchMedia("(prefers-color-scheme: dark)").matches,theme,view={x:.5,y:.5,zoom:1},ratio=1;
let shown=0,hover=-1,frame=0;
const over=$("over"),pointsCanvas=$("points"),ctx=over.getContext("2d");
const gl=pointsCanvas.getContext("webgl",{antialias:true,premultipliedAlpha:true});
const flat=gl?null:pointsCanvas.getContext("2d");
const rgb=h=>[1,3,5].map(i=>parseInt(h.substr(i,2),16));
function scaleColor(v){const s=theme.scale,at=Math.min(Math.max(v,0),1)*(s.length-1);
 const i=Math.min(Math.floor(at),s.length-2),f=at-i,a=rgb(s[i]),b=rgb(s[i+1]);
 return a.map((c,k)=>Math.round(c+f*(b[k]-c)))}
// What the points fill of the unit square, and the view that shows all of it.
const bounds=[1,1,0,0];
for(let i=0;i<2*n;i++){const v=xy[i]/65535,k=i%2;if(v<bounds[k])bounds[k]=v;if(v>bounds[k+2])bounds[k+2]=v}
const whole=()=>({x:n?(bounds[0]+bounds[2])/2:.5,y:n?(bounds[1]+bounds[3])/2:.5,zoom:1});
view=whole();
const size=()=>{const w=innerWidth,h=innerHeight;
 const fit=Math.min(.92*w/Math.max(bounds[2]-bounds[0],.05),(h-130)/Math.max(bounds[3]-bounds[1],.05));
 return{w,h,s:fit*view.zoom}};
function toScreen(x,y){const{w,h,s}=size();return[w/2+(x-view.x)*s,h/2+14-(y-view.y)*s]}
function toMap(px,py){const{w,h,s}=size();return[(px-w/2)/s+view.x,view.y-(py-h/2-14)/s]}
const radius=()=>Math.min(9,Math.max(.6,3.1*Math.pow(Math.max(n,50)/1000,-.3)*Math.min(innerWidth,innerHeight)/700*
 Math.pow(view.zoom,.45)));
const alpha=()=>Math.min(.95,Math.max(.35,.85*Math.pow(Math.max(n,50)/1000,-.1)*Math.pow(view.zoom,.15)))*
 (paths.length?.6:1);
let program,buffers;
// Points in an order that does not follow their values.
const order=new Uint32Array(n);for(let i=0;i<n;i++)order[i]=i;
{let s=1;for(let i=n-1;i>0;i--){s=(Math.imul(s,1664525)+1013904223)>>>0;const j=s%(i+1),t=order[i];order[i]=order[j];order[j]=t}}
function setupGl(){
 const shader=(type,text)=>{const s=gl.createShader(type);gl.shaderSource(s,text);gl.compileShader(s);return s};
 program=gl.createProgram();
 gl.attachShader(program,shader(gl.VERTEX_SHADER,
 "attribute vec2 p;attribute vec3 c;uniform vec2 o,s;uniform float r;varying vec3 k;"+
 "void main(){gl_Position=vec4((p-o)*s+vec2(0.,0.),0.,1.);gl_PointSize=r;k=c;}"));
 gl.attachShader(program,shader(gl.FRAGMENT_SHADER,
 "precision mediump float;varying vec3 k;uniform float a;void main(){float d=length(gl_PointCoord-.5)*2.;"+
 "float f=a*(1.-smoothstep(.72,1.,d));gl_FragColor=vec4(k*f,f);}"));
 gl.linkProgram(program);gl.useProgram(program);
 const pos=new Float32Array(2*n);
 for(let i=0;i<n;i++){pos[2*i]=xy[2*order[i]]/65535;pos[2*i+1]=xy[2*order[i]+1]/65535}
 const make=(name,count,array,type)=>{const b=gl.createBuffer();gl.bindBuffer(gl.ARRAY_BUFFER,b);
  gl.bufferData(gl.ARRAY_BUFFER,array,gl.STATIC_DRAW);const at=gl.getAttribLocation(program,name);
  gl.enableVertexAttribArray(at);gl.vertexAttribPointer(at,count,type,type==gl.UNSIGNED_BYTE,0,0);return b};
 make("p",2,pos,gl.FLOAT);buffers=make("c",3,new Uint8Array(3*n),gl.UNSIGNED_BYTE);
 gl.enable(gl.BLEND);gl.blendFunc(gl.ONE,gl.ONE_MINUS_SRC_ALPHA)}
function colorPoints(){if(!gl)return;const table=[];for(let v=0;v<256;v++)table.push(scaleColor(v/255));
 const c=new Uint8Array(3*n);for(let i=0;i<n;i++)c.set(table[val[order[i]]],3*i);
 gl.bindBuffer(gl.ARRAY_BUFFER,buffers);gl.bufferData(gl.ARRAY_BUFFER,c,gl.STATIC_DRAW)}
function drawPoints(){const{w,h,s}=size();
 if(gl){gl.viewport(0,0,pointsCanvas.width,pointsCanvas.height);gl.clearColor(...rgb(theme.background).map(c=>c/255),1);
  gl.clear(gl.COLOR_BUFFER_BIT);const u=name=>gl.getUniformLocation(program,name);
  gl.uniform2f(u("o"),view.x,view.y+14/s);gl.uniform2f(u("s"),2*s/w,2*s/h);
  gl.uniform1f(u("r"),2*radius()*ratio);gl.uniform1f(u("a"),alpha());gl.drawArrays(gl.POINTS,0,n);return}
 flat.setTransform(ratio,0,0,ratio,0,0);flat.fillStyle=theme.background;flat.fillRect(0,0,w,h);
 const r=radius();flat.globalAlpha=alpha();
 for(let i=0;i<n;i++){const k=order[i],[x,y]=toScreen(xy[2*k]/65535,xy[2*k+1]/65535);
  if(x<-9||y<-9||x>w+9||y>h+9)continue;flat.fillStyle="rgb("+scaleColor(val[k]/255)+")";
  flat.beginPath();flat.arc(x,y,r,0,7);flat.fill()}}
function halo(text,x,y,color,bold){ctx.font=(bold?"bold ":"")+"13px 'DejaVu Sans',Verdana,sans-serif";
 ctx.lineWidth=4;ctx.lineJoin="round";ctx.strokeStyle=theme.background;ctx.strokeText(text,x,y);
 ctx.fillStyle=color;ctx.fillText(text,x,y)}
function head(a,b,length,color){const d=Math.hypot(b[0]-a[0],b[1]-a[1]);if(d<1)return;
 const x=(b[0]-a[0])/d,y=(b[1]-a[1])/d;ctx.fillStyle=color;ctx.beginPath();ctx.moveTo(b[0],b[1]);
 ctx.lineTo(b[0]-length*x+.42*length*y,b[1]-length*y-.42*length*x);
 ctx.lineTo(b[0]-length*x-.42*length*y,b[1]-length*y+.42*length*x);ctx.fill()}
function stroke(list,width,color){ctx.lineWidth=width;ctx.strokeStyle=color;ctx.lineJoin=ctx.lineCap="round";
 ctx.beginPath();list.forEach((p,i)=>i?ctx.lineTo(...p):ctx.moveTo(...p));ctx.stroke()}
function dot(p,r,fill,edge,width){ctx.beginPath();ctx.arc(p[0],p[1],r,0,7);ctx.fillStyle=fill;ctx.fill();
 ctx.lineWidth=width;ctx.strokeStyle=edge;ctx.stroke()}
// The first free place around a point for a text; texts without room are left out.
let taken=[];
function label(text,p,color){const w=text.length*8+6,h=17;
 for(const d of[10,22,38,58,84])for(let i=0;i<12;i++){const t=-.52+.5236*(i%2?-(i+1)/2:i/2);
  const x=p[0]+Math.cos(t)*(d+w/2)-w/2,y=p[1]+Math.sin(t)*(d+h/2)-h/2;
  if(x<4||y<60||x+w>innerWidth-4||y+h>innerHeight-4)continue;
  if(taken.some(b=>x<b[0]+b[2]&&b[0]<x+w&&y<b[1]+b[3]&&b[1]<y+h))continue;
  taken.push([x,y,w,h]);halo(text,x+3,y+13,color,true);return}}
function drawPath(path){const k=Math.min(shown,path.places.length-1);
 const list=path.places.slice(0,k+1).map(p=>toScreen(...p));
 stroke(list,4,theme.background);
 for(let i=1;i<list.length;i++){const a=list[i-1],b=list[i];
  ctx.globalAlpha=.3+.65*i/(list.length-1);stroke([a,b],1.7,theme.path);
  if(Math.hypot(b[0]-a[0],b[1]-a[1])>26)head(a,[a[0]+.58*(b[0]-a[0]),a[1]+.58*(b[1]-a[1])],8,theme.path)}
 ctx.globalAlpha=1;list.forEach((p,i)=>dot(p,i==k?6:3,"rgb("+scaleColor(path.values[i])+")",theme.path,i==k?2.5:1));
 label("start",list[0],theme.ink);
 for(const[step,text]of path.marks)if(step<=k){dot(list[step],5,"rgb("+scaleColor(path.values[step])+")",theme.accent,2.2);
  label(text,list[step],theme.accent)}}
function drawArrow(a){const p=toScreen(...a.from),q=toScreen(...a.to),d=Math.hypot(q[0]-p[0],q[1]-p[1]);
 if(d<4)return;const e=[q[0]-8*(q[0]-p[0])/d,q[1]-8*(q[1]-p[1])/d];
 stroke([p,e],6,theme.background);stroke([p,e],2.4,theme.ink);head(p,q,15,theme.ink);taken.push([q[0]-12,q[1]-12,24,24]);
 for(let t=0;t<d;t+=6)taken.push([p[0]+t/d*(q[0]-p[0])-4,p[1]+t/d*(q[1]-p[1])-4,8,8]);
 dot(p,4,theme.ink,theme.background,1.5);label(a.fromLabel,p,theme.ink);label(a.toLabel,q,theme.ink)}
function drawCurve(path){const c=$("curve"),w=c.clientWidth,h=c.clientHeight;c.width=w*ratio;c.height=h*ratio;
 const g=c.getContext("2d");g.scale(ratio,ratio);const last=Math.max(1,path.values.length-1);
 const at=i=>[4+(w-8)*i/last,h-6-(h-12)*path.values[i]];
 for(let i=0;i<last&&i+1<path.values.length;i++){const a=at(i),b=at(i+1);
  g.fillStyle="rgb("+scaleColor((path.values[i]+path.values[i+1])/2)+")";g.globalAlpha=i<shown?.75:.25;
  g.beginPath();g.moveTo(...a);g.lineTo(...b);g.lineTo(b[0],h/2);g.lineTo(a[0],h/2);g.fill()}
 g.globalAlpha=1;g.strokeStyle=theme.ink;g.lineWidth=1.6;g.beginPath();
 path.values.forEach((v,i)=>i?g.lineTo(...at(i)):g.moveTo(...at(i)));g.stroke();
 const p=at(Math.min(shown,path.values.length-1));g.beginPath();g.arc(p[0],p[1],4,0,7);g.fillStyle=theme.accent;g.fill()}
function draw(){frame=0;drawPoints();ctx.setTransform(ratio,0,0,ratio,0,0);ctx.clearRect(0,0,innerWidth,innerHeight);taken=[];
 if(paths.length){const path=paths[$("which").selectedIndex];drawPath(path);drawCurve(path);
  $("at").textContent=data.stepName+" "+shown+" · "+(100*path.values[Math.min(shown,path.values.length-1)]).toFixed(1)+" %"}
 else if(data.arrow)drawArrow(data.arrow);
 if(hover>=0){const p=toScreen(xy[2*hover]/65535,xy[2*hover+1]/65535);
  dot(p,radius()+3,"rgb("+scaleColor(val[hover]/255)+")",theme.ink,2)}}
const redraw=()=>{if(!frame)frame=requestAnimationFrame(draw)};
function resize(){ratio=devicePixelRatio||1;for(const c of[pointsCanvas,over]){c.width=innerWidth*ratio;c.height=innerHeight*ratio}redraw()}
function setTheme(){theme=data.themes[dark?"dark":"light"];
 for(const k of["background","ink","faint"])document.body.style.setProperty("--"+k,theme[k]);
 $("theme").textContent=dark?"Light":"Dark";
 const bar=$("bar");bar.children[0].textContent=data.valueName;
 bar.children[1].style.background="linear-gradient(90deg,"+theme.scale.join(",")+")";
 bar.children[2].children[0].textContent=data.low;bar.children[2].children[1].textContent=data.high;
 colorPoints();redraw()}
// A grid finds the point under the pointer.
const cells=256,grid=new Map();
for(let i=0;i<n;i++){const k=(xy[2*i]>>8)*cells+(xy[2*i+1]>>8);let c=grid.get(k);if(!c)grid.set(k,c=[]);c.push(i)}
function nearest(px,py){const[mx,my]=toMap(px,py),reach=12/size().s,r=Math.min(8,Math.ceil(reach*cells)+1);let best=-1,bd=reach*reach;
 const cx=Math.floor(mx*cells),cy=Math.floor(my*cells);
 for(let x=cx-r;x<=cx+r;x++)for(let y=cy-r;y<=cy+r;y++)for(const i of grid.get(x*cells+y)||[]){
  const dx=xy[2*i]/65535-mx,dy=xy[2*i+1]/65535-my,d=dx*dx+dy*dy;if(d<bd){bd=d;best=i}}return best}
function point(e){const i=nearest(e.clientX,e.clientY),tip=$("tip");if(i!=hover){hover=i;redraw()}
 if(i<0){tip.style.display="none";return}
 tip.innerHTML=(data.labels.length?show(data.labels[i]):"")+"<p><b>"+(100*val[i]/255).toFixed(0)+" %</b></p>";
 tip.style.display="block";const w=tip.offsetWidth,h=tip.offsetHeight;
 tip.style.left=Math.min(e.clientX+16,innerWidth-w-8)+"px";tip.style.top=Math.max(8,Math.min(e.clientY+16,innerHeight-h-8))+"px"}
let drag=null;
over.onpointerdown=e=>{drag=[e.clientX,e.clientY];over.setPointerCapture(e.pointerId)};
over.onpointerup=()=>drag=null;
over.onpointerleave=()=>{hover=-1;$("tip").style.display="none";redraw()};
over.onpointermove=e=>{if(!drag)return point(e);const s=size().s;view.x-=(e.clientX-drag[0])/s;view.y+=(e.clientY-drag[1])/s;
 drag=[e.clientX,e.clientY];redraw()};
over.onwheel=e=>{e.preventDefault();const before=toMap(e.clientX,e.clientY);
 view.zoom=Math.min(200,Math.max(.5,view.zoom*Math.exp(-e.deltaY*.0015)));const after=toMap(e.clientX,e.clientY);
 view.x+=before[0]-after[0];view.y+=before[1]-after[1];redraw()};
$("reset").onclick=()=>{view=whole();redraw()};
$("theme").onclick=()=>{dark=!dark;setTheme()};
if(paths.length){$("play").style.display="block";for(const p of paths){const o=document.createElement("option");o.textContent=p.title;$("which").append(o)}
 const choose=()=>{const p=paths[$("which").selectedIndex];$("step").max=shown=p.places.length-1;$("step").value=shown;redraw()};
 $("which").onchange=choose;$("step").oninput=()=>{shown=+$("step").value;redraw()};choose();
 addEventListener("keydown",e=>{const d=e.key=="ArrowRight"?1:e.key=="ArrowLeft"?-1:0;if(!d||e.target.tagName=="SELECT")return;e.preventDefault();
  shown=Math.min(+$("step").max,Math.max(0,shown+d));$("step").value=shown;redraw()})}
if(gl)setupGl();addEventListener("resize",resize);setTheme();resize();
</script></body></html>
)page";

}  // namespace

std::string_view html_page() {
    static const std::string page = std::string(kPage) + std::string(kScript);
    return page;
}

}  // namespace solis::atlas
