// The popup in which somebody signed in with Google tells the page that opened it how it went, and closes.
const news = JSON.parse(decodeURIComponent(location.hash.slice(1)) || '{}');
new BroadcastChannel('google').postMessage(news);
setTimeout(() => window.close(), 50);
