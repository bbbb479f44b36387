import { stripVTControlCharacters } from 'node:util';
import type { Row } from './billing-records/store.ts';

/** A part of the output: a line, or a table under a title. A table without rows says so. */
export type Section = string | { title: string; rows: readonly Row[] };

const WIDEST = 160;

/** Says how the next page is had; nothing after the last one. */
export function presentMore(cursor: string | null): Section[] {
  return cursor === null
    ? []
    : [
        `还有更多，加上 --cursor ${cursor} 看下一页。There is more: add --cursor ${cursor} for the next page.`,
      ];
}

/** Sections as text for a terminal: columns side by side, times in UTC, whatever came from outside in one line. */
export function presentSections(sections: readonly Section[]): string {
  return `${sections.map((each) => (typeof each === 'string' ? each : presentTable(each.title, each.rows))).join('\n\n')}\n`;
}

function presentTable(title: string, rows: readonly Row[]): string {
  const head = `── ${title}`;
  const [first] = rows;
  if (!first) return `${head}\n   （没有 none）`;
  const columns = Object.keys(first);
  const cells = [columns.map(nameOf), ...rows.map((row) => columns.map((name) => textOf(row[name])))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => widthOf(line[at] ?? ''))));
  const lines = cells.map((line) =>
    `   ${line.map((cell, at) => cell + ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cell)))).join('  ')}`.trimEnd(),
  );
  return [head, ...lines].join('\n');
}

const NAMES: Record<string, string> = {
  table: '表 table',
  model: '模型 model',
  models: '模型 models',
  plans: '套餐 plans',
  later_credits: '以后的价格 later prices',
  upstreams: '模型服务 upstreams',
  paused_since: '暂停于 paused since',
  users_24h: '24 小时用户 users in 24 hours',
  running: '正在回答 running',
  rows: '行 rows',
  tables: '表 tables',
  bytes: '字节 bytes',
  all_bytes: '全部字节 all bytes',
  files: '文件 files',
  alert: '告警 alert',
  completed: '完成 completed',
  stopped: '用户停止 stopped',
  failed: '失败 failed',
  interrupted: '中断 interrupted',
  p50: '首字中位毫秒 first text ms, median',
  p99: '首字 P99 毫秒 first text ms, p99',
  code: '原因 cause',
  fault: '细分 fault',
  count: '次数 count',
  charged: '消费 Credits charged',
  holds: '预扣条数 holds',
  opened: '新注册 new accounts',
  active: '发过消息的用户 active users',
  currency: '货币 currency',
  paid_sum: '收款 paid',
  lost_sum: '退款与争议 refunded or disputed',
  uncredited: '未入账 not credited',
  webhooks: '通知 webhooks',
  webhooks_failed: '处理失败的通知 webhooks that failed',
  oldest: '最早收到 oldest',
  mails: '邮件 mails',
  exports: '导出 exports',
  deletions: '注销 deletions',
  proposals: '待审批 proposals',
  network: '网络 network',
  domain: '域名 domain',
  sign_ups: '注册 sign-ups',
  verified: '已验证邮箱 verified',
  given: '已发免费 Credits free month given',
  withheld: '未发 refused',
  reasons: '未发原因 why refused',
  newest: '最新的用户 newest user',
  unanswered: '停止或被拦截 stopped or blocked',
  uncharged: '全部免费 free in all',
  since: '开始 since',
  declined: '被拒的订单 orders declined',
  paid_orders: '付款的订单 orders paid',
  via: '来自 via',
  upstream: '上游模型 upstream model',
  released: '退还 released',
  found_at: '发现 found',
  number: '订单号 number',
  open: '未了结 open',
  leaving: '正在注销 leaving',
  seconds: '秒 seconds',
  drift: '偏差 drift',
  name: '名称 name',
  answers: '回答 answers',
  credits: 'Credits',
  revenue: '收入 revenue',
  cost: '成本 cost',
  margin: '毛利 margin',
  percent: '毛利率 of revenue',
  estimated: '其中估算 estimated',
  unknown: '未知 unknown',
  id: '编号 id',
  email: '邮箱 email',
  provider: '支付平台 provider',
  type: '类型 type',
  kind: '类型 kind',
  status: '状态 status',
  state: '状态 state',
  reason: '原因 reason',
  subject: '对象 subject',
  received_at: '收到 received',
  observed_at: '得知 observed',
  asked_at: '要求 asked',
  done_at: '完成 done',
  at: '时间 at',
  tries: '次数 tries',
  error: '错误 error',
  fact: '内容 fact',
  source: '来源 source',
  order: '订单 order',
  plan: '套餐 plan',
  cycle: '周期 cycle',
  price: '价格 price',
  amount: '数额 amount',
  balance: '余额 balance',
  created: '创建 created',
  paid: '付款 paid',
  displayName: '名称 name',
  createdAt: '注册 created',
  lastLoginAt: '最近登录 last login',
  user: '用户 user',
  leavingAt: '要求注销 leaving',
  deletedAt: '已注销 deleted',
  disputed: '争议中 disputed',
  cleared_disputes: '已了结 cleared',
  next_change_at: '下次变化 next change',
  ask_at: '下次询问 asks',
  asked_times: '已问 asked',
  projected_at: '推算 projected',
  subscription_id: '订阅 subscription',
  renews: '续费 renews',
  paid_until: '已付至 paid until',
  access_until: '可用至 usable until',
  payment_key: '付款 payment key',
  source_key: '来由或付款 source or payment key',
  available: '可用 available',
  held: '预扣 held',
  spent: '已用 spent',
  expired: '过期 expired',
  revoked: '收回 revoked',
  revoke_target: '应收回 to revoke',
  expires_at: '到期 expires',
  message: '消息 message',
  orderId: '订单 order',
  ambiguous: '多人 ambiguous',
  change: '变化 change',
  what: '内容 what',
  known: '已知 known',
  checkout: '结账 checkout',
  details: '细节 details',
  user_id: '用户 user',
  detail: '细节 detail',
  actor: '操作人 actor',
  act: '操作 act',
};

function nameOf(column: string): string {
  return NAMES[column] ?? column;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString().replace('T', ' ').slice(0, 19);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const line = stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 1).toWellFormed()}…` : line;
}

/** Chinese characters take two columns. */
function widthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (character > '\u2e80' ? 2 : 1), 0);
}
