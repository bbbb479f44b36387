/**
 * Runs in the head, before anything is painted: the chosen theme, whether a session is to be expected, and whether the
 * language is still open because the path names none. The server allows it in the CSP by its hash.
 */
export const BEFORE_PAINT = `(function(){try{
var d=document.documentElement,p=location.pathname.split("/")[1];
if(p!=="zh"&&p!=="en")d.dataset.language="open";
var t=localStorage.getItem("theme");
if(t==="light"||t==="dark")d.dataset.theme=t;
if(localStorage.getItem("session"))d.dataset.session="expected";
}catch(e){}})()`.replaceAll('\n', '');
