/**
 * Runs in the head, before anything is painted: the chosen theme, whether a session is to be expected, and whether the
 * language is still open because the path names none. In the chat of a reader it also says whether the list is closed (use-panel.ts),
 * and begins to read what the chat will ask for (api.ts). The server allows it in the CSP by its hash.
 */
export const BEFORE_PAINT = `(function(){try{
var d=document.documentElement,p=location.pathname.split("/")[1];
if(p!=="zh"&&p!=="en")d.dataset.language="open";
var t=localStorage.getItem("theme");
if(t==="light"||t==="dark")d.dataset.theme=t;
if(localStorage.getItem("session")){
d.dataset.session="expected";
var c=location.pathname.split("/");
if(c[2]==="chat"){
d.dataset.chat=c[3]?"old":"new";
if(localStorage.getItem("chat.panel")==="closed")d.dataset.panel="closed";
var paths=["/api/me","/api/catalogue","/api/conversations"];
if(c[3])paths.push("/api/messages?conversationId="+encodeURIComponent(c[3])+"&branch=newest");
window.earlyAnswers={};
paths.forEach(function(path){
var answer=fetch(path,{headers:{accept:"application/json"}});
answer.catch(function(){});
window.earlyAnswers[path]=answer;
});
}
}
}catch(e){}})()`.replaceAll('\n', '');
