/**
 * Services at which one person cannot open mailboxes without end, by their domains: the service itself sees to that. Where a domain is
 * missing here, its addresses are given a bounded number of free months a day; `KNOWN_MAIL_DOMAINS` adds to the list.
 */
const DOMAINS = `
gmail.com googlemail.com outlook.com hotmail.com live.com msn.com passport.com windowslive.com
icloud.com me.com mac.com aol.com aim.com ymail.com rocketmail.com myyahoo.com
proton.me protonmail.com protonmail.ch pm.me fastmail.com fastmail.fm tuta.com tutanota.com tutanota.de tuta.io tutamail.com
zoho.com zohomail.com hey.com mail.com email.com gmx.com gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de arcor.de
qq.com vip.qq.com foxmail.com 163.com 126.com yeah.net vip.163.com vip.126.com 188.com sina.com sina.cn vip.sina.com sohu.com
139.com 189.cn wo.cn aliyun.com tom.com 21cn.com 263.net
naver.com daum.net hanmail.net kakao.com nate.com docomo.ne.jp ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp nifty.com
seznam.cz wp.pl o2.pl onet.pl interia.pl op.pl
yandex.ru ya.ru yandex.com yandex.by yandex.kz yandex.ua yandex.com.tr narod.ru mail.ru bk.ru inbox.ru list.ru internet.ru
rambler.ru ukr.net i.ua
orange.fr wanadoo.fr free.fr sfr.fr laposte.net bbox.fr libero.it virgilio.it tiscali.it alice.it tin.it
btinternet.com sky.com virginmedia.com talktalk.net ntlworld.com comcast.net verizon.net att.net sbcglobal.net bellsouth.net
cox.net charter.net earthlink.net shaw.ca rogers.com bell.net telus.net optusnet.com.au bigpond.com telstra.com xtra.co.nz
rediffmail.com uol.com.br bol.com.br terra.com.br ig.com.br telenet.be skynet.be ziggo.nl kpnmail.nl home.nl bluewin.ch
telia.com online.no hetnet.nl planet.nl
`;
const KNOWN = new Set(DOMAINS.split(/\s+/));
/** The same service in many countries. */
const IN_MANY_COUNTRIES = /^(yahoo|hotmail|live|outlook)(\.co|\.com)?\.[a-z]{2}$|^yahoo\.com$/;

/** True when the domain of an address, in lower case, is that of such a service. */
export function isKnownMailDomain(domain: string): boolean {
  return KNOWN.has(domain) || IN_MANY_COUNTRIES.test(domain);
}
