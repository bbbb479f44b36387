import type { AbuseScreen, SignUpGroup } from '#contract/admin/abuse.ts';
import type { Section } from './present-sections.ts';

/** Signs of abuse, as a terminal shows them. */
export function presentAbuse({
  networks,
  domains,
  freeMessages,
  signIns,
  declines,
  files,
}: AbuseScreen): Section[] {
  const { unansweredLimit, unchargedLimit, users } = freeMessages;
  return [
    {
      title: '7 天内按网络看注册 Sign-ups of 7 days by network',
      rows: networks.map(({ name, hash, ...group }) => ({
        network: name ?? hash.slice(0, 12),
        ...rowOf(group),
      })),
    },
    {
      title: '7 天内按邮箱域名看注册 Sign-ups of 7 days by email domain',
      rows: domains.map(({ domain, ...group }) => ({ domain, ...rowOf(group) })),
    },
    {
      title: `今天免费消息最多的用户 Most free messages today (${unansweredLimit}, ${unchargedLimit})`,
      rows: users.map(({ userId, email, viaApi, unanswered, uncharged }) => ({
        user: email ?? userId,
        via: viaApi ? 'api' : 'chat',
        unanswered,
        uncharged,
      })),
    },
    {
      title: '多次登录失败的邮箱 Many failed logins',
      rows: signIns.map(({ address, userId, tries, since }) => ({
        email: address,
        user: userId,
        tries,
        since: new Date(since),
      })),
    },
    {
      title: '银行卡多次被拒的用户 Cards declined more than once',
      rows: declines.map(({ userId, email, declined, paid, lastAt }) => ({
        user: email ?? userId,
        declined,
        paid_orders: paid,
        at: new Date(lastAt),
      })),
    },
    {
      title: '新增文件最多的用户 Most new files',
      rows: files.map(({ userId, email, files: count, bytes, total }) => ({
        user: email ?? userId,
        files: count,
        bytes,
        all_bytes: total,
      })),
    },
  ];
}

function rowOf({ signUps, verified, given, withheld, reasons, newest }: SignUpGroup) {
  const user = newest.email ?? newest.userId;
  return { sign_ups: signUps, verified, given, withheld, reasons: reasons.join(' '), newest: user };
}
