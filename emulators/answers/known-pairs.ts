import type { Language } from './topic.ts';

interface KnownPair {
  both: [RegExp, RegExp];
  tables: Record<Language, string>;
}

/** Comparisons that people like to try. */
export const KNOWN_PAIRS: KnownPair[] = [
  {
    both: [/\btcp\b/i, /\budp\b/i],
    tables: {
      zh: '| 看什么 | TCP | UDP |\n| :-- | :-- | :-- |\n| 连接 | 先握手，再传输 | 不需要，直接发 |\n| 可靠 | 丢了会重传，顺序不乱 | 可能丢，可能乱序 |\n| 开销 | 较大 | 很小 |\n| 适合 | 网页、邮件、文件 | 通话、直播、游戏、DNS |\n\n**一句话：**一个字节都不能错，用 TCP；宁可丢一点也不能等，用 UDP。',
      en: '| Criterion | TCP | UDP |\n| :-- | :-- | :-- |\n| Connection | Handshake first | None, just send |\n| Reliability | Resends losses, keeps order | May lose or reorder |\n| Overhead | Higher | Very low |\n| Good for | Web, mail, files | Calls, live video, games, DNS |\n\n**In short:** if every byte must be right, TCP; if waiting is worse than losing a little, UDP.',
    },
  },
  {
    both: [/\breact\b/i, /\bvue\b/i],
    tables: {
      zh: '| 看什么 | React | Vue |\n| :-- | :-- | :-- |\n| 写法 | JSX，一切都是 JavaScript | 模板为主，贴近 HTML |\n| 状态 | 不可变数据，更新后重新渲染 | 响应式数据，改了就会更新 |\n| 生态 | 最大，选择多 | 官方配套齐全，选择少而稳 |\n| 上手 | 需要先理解渲染模型 | 平缓，文档友好 |\n\n**一句话：**团队里谁更熟就用谁；从零开始想快点出活，Vue 更省心；要最多的库和人手，选 React。',
      en: '| Criterion | React | Vue |\n| :-- | :-- | :-- |\n| Style | JSX, everything is JavaScript | Templates close to HTML |\n| State | Immutable data, re-render on change | Reactive data, updates itself |\n| Ecosystem | The largest, many choices | Complete official set, fewer choices |\n| Learning | Grasp the render model first | Gentle, friendly docs |\n\n**In short:** use whichever your team knows. Starting fresh and in a hurry, Vue; for the most libraries and people, React.',
    },
  },
  {
    both: [/\bpostgres(ql)?\b/i, /\bmysql\b/i],
    tables: {
      zh: '| 看什么 | PostgreSQL | MySQL |\n| :-- | :-- | :-- |\n| 数据类型 | 很丰富：数组、区间、JSONB | 够用：JSON、空间类型 |\n| 约束与事务 | 严格，DDL 也能回滚 | InnoDB 可靠，DDL 多数不能回滚 |\n| 扩展 | 插件多，如 PostGIS、pgvector | 插件较少，运维工具成熟 |\n| 常见用途 | 复杂查询、数据要求严 | 读多写少的网站 |\n\n**一句话：**没有历史包袱，默认选 PostgreSQL；团队和运维都熟 MySQL，也完全够用。',
      en: '| Criterion | PostgreSQL | MySQL |\n| :-- | :-- | :-- |\n| Types | Rich: arrays, ranges, JSONB | Solid: JSON, spatial |\n| Constraints, transactions | Strict, even DDL rolls back | Reliable InnoDB, most DDL does not roll back |\n| Extensions | Many, such as PostGIS and pgvector | Fewer, with mature operations tooling |\n| Typical use | Complex queries, strict data | Read-heavy websites |\n\n**In short:** with no history to carry, default to PostgreSQL; if your team runs MySQL well, it will do.',
    },
  },
];
