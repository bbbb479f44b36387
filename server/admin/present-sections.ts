import { stripVTControlCharacters } from 'node:util';
import type { Row } from './records/store.ts';

/** A part of the output: a line, or a table under a title. A table without rows says so. */
export type Section = string | { title: string; rows: readonly Row[] };

const WIDEST = 160;

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
  upstreams: '模型服务 upstreams',
  paused_since: '暂停于 paused since',
  users_24h: '24 小时用户 users in 24 hours',
  running: '正在回答 running',
  rows: '行 rows',
  tables: '表 tables',
  bytes: '字节 bytes',
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
  provider: '支付服务 provider',
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
