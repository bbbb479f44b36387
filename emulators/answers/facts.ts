import type { Asked, Topic } from './topic.ts';

interface Fact {
  about: RegExp;
  zh: string;
  en: string;
}

const FACTS: Fact[] = [
  {
    about: /递归|recursion|recursive/i,
    zh: '**递归**就是函数调用它自己，把大问题一步步变成同样形状的小问题。\n\n它有两个部分：\n\n1. **终止条件**：小到可以直接回答，就不再往下问。\n2. **递推步骤**：把问题变小一点，交给“自己”，再把结果拼起来。\n\n```ts\nfunction factorial(n: number): number {\n  if (n <= 1) return 1; // 终止条件\n  return n * factorial(n - 1); // 递推步骤\n}\n```\n\n忘了终止条件，调用会一直堆下去，直到栈溢出。',
    en: '**Recursion** is a function calling itself, turning a big problem into smaller ones of the same shape.\n\nIt always has two parts:\n\n1. **A base case**: small enough to answer outright, so the calls stop.\n2. **A recursive step**: make the problem a little smaller, hand it to “yourself”, and combine the result.\n\n```ts\nfunction factorial(n: number): number {\n  if (n <= 1) return 1; // base case\n  return n * factorial(n - 1); // recursive step\n}\n```\n\nForget the base case and the calls pile up until the stack overflows.',
  },
  {
    about: /量子纠缠|entanglement|entangled/i,
    zh: '**量子纠缠**是指两个粒子的状态必须放在一起描述，哪怕它们相隔很远。\n\n- 测量其中一个，结果是随机的；\n- 但两边的结果**互相关联**，比任何“事先约好的答案”都更强，贝尔实验已经反复验证过；\n- 它**不能用来超光速通信**，因为单看任何一边都只是随机数。\n\n打个比方：像一对永远配合默契的骰子，只有把两边的记录放到一起，才看得出默契。',
    en: '**Quantum entanglement** means that two particles have to be described as one system, however far apart they are.\n\n- Measure either of them and the result is random.\n- Yet the two results are **correlated** more strongly than any answers agreed in advance could be. Bell tests have confirmed this again and again.\n- It **can’t send messages** faster than light, since each side on its own sees only noise.\n\nThink of two dice in perfect harmony: only by comparing both records can you tell.',
  },
  {
    about: /天空.{0,6}蓝|sky.{0,6}blue/i,
    zh: '因为**瑞利散射**。\n\n阳光里混着各种颜色。空气分子比光的波长小得多，对短波长的散射强得多，强度大约与波长的四次方成反比。蓝光被散射到四面八方，所以抬头到处是蓝色。\n\n- **为什么不是紫色？**阳光里紫光较少，高层大气又吸收了一部分，眼睛对它也不敏感。\n- **傍晚为什么发红？**光要穿过更厚的空气，蓝光一路散掉了，剩下的偏红。',
    en: 'Because of **Rayleigh scattering**.\n\nSunlight is a mixture of colors. Air molecules are far smaller than the wavelength of light, and they scatter short wavelengths much more: roughly with the inverse fourth power. Blue light gets sent in every direction, so that’s what you see wherever you look.\n\n- **Why not violet?** The sun emits less of it, the upper atmosphere absorbs some, and our eyes respond to it weakly.\n- **Why are sunsets red?** The light crosses more air, and most of the blue is gone by the time it arrives.',
  },
  {
    about: /通货膨胀|通胀|inflation/i,
    zh: '**通货膨胀**就是物价整体、持续地上涨，同样的钱买到的东西变少。\n\n常见的原因有三类：\n\n| 类型 | 发生了什么 |\n| :-- | :-- |\n| 需求拉动 | 想买的人多，东西跟不上 |\n| 成本推动 | 能源、原料或工资变贵 |\n| 预期 | 大家都觉得会涨，于是先涨了 |\n\n温和的通胀（每年 2% 左右）通常被看作正常；太高会侵蚀储蓄，太低又容易让人推迟消费。',
    en: '**Inflation** is a broad and lasting rise in prices: the same money buys less.\n\nThere are three usual causes:\n\n| Kind | What happens |\n| :-- | :-- |\n| Demand-pull | More buyers than goods |\n| Cost-push | Energy, materials or wages get dearer |\n| Expectations | Everyone expects rises, so they come early |\n\nMild inflation of about 2% a year is generally seen as normal. Too much eats savings; too little tempts people to put off buying.',
  },
  {
    about: /光合作用|photosynthesis/i,
    zh: '**光合作用**是植物用光把水和二氧化碳变成糖，同时放出氧气。\n\n> 6 CO₂ + 6 H₂O → C₆H₁₂O₆ + 6 O₂\n\n分两步：\n\n1. **光反应**：在类囊体膜上，光能拆开水，产生氧气和能量载体；\n2. **暗反应**（卡尔文循环）：用这些能量把二氧化碳组装成糖，不直接需要光。',
    en: '**Photosynthesis** is how plants use light to turn water and carbon dioxide into sugar, releasing oxygen.\n\n> 6 CO₂ + 6 H₂O → C₆H₁₂O₆ + 6 O₂\n\nIt happens in two stages:\n\n1. **Light reactions** in the thylakoid membranes split water, giving oxygen and energy carriers.\n2. **The Calvin cycle** spends that energy to build sugar from carbon dioxide, with no direct need for light.',
  },
  {
    about: /大(语言)?模型|\btoken\b|language model|\bllm\b/i,
    zh: '**大语言模型**做的事说来简单：读一段文字，估计下一个片段最可能是什么，写下来，再接着估计。\n\n- 这些片段叫 **token**，一个汉字大约是 0.6 到 1 个，一个英文单词大约 1.3 个；\n- **上下文**就是它这一次能看到的全部 token，看不到的等于不知道；\n- 它给出的是“像样的话”，**不保证是事实**，重要的地方要核对。',
    en: 'A **large language model** does something simple to state: it reads text, estimates which piece is likely to come next, writes it down, and repeats.\n\n- Those pieces are **tokens**. An English word is about 1.3 of them, a Chinese character about 0.6 to 1.\n- The **context** is everything it can see this time; whatever is outside might as well not exist.\n- It produces plausible text, which is **not a promise of truth**. Check what matters.',
  },
];

function factFor({ prompt }: Asked): Fact | undefined {
  return FACTS.find((fact) => fact.about.test(prompt));
}

export const KNOWN_FACT: Topic = {
  matches: (asked) => asked.prompt.length < 80 && factFor(asked) !== undefined,
  thoughts: {
    zh: '**选一个好的讲法**\n\n先给一句话的定义，再讲原理，最后用一个例子或常见误解收尾，让第一次听说的人也能跟上。',
    en: '**Choosing how to explain it**\n\nA one-line definition first, then how it works, then an example or a common misunderstanding, so that a newcomer can follow.',
  },
  answer: {
    zh: (asked) => `${factFor(asked)?.zh}\n\n还想往深处了解哪一部分？`,
    en: (asked) => `${factFor(asked)?.en}\n\nWhich part would you like to go deeper into?`,
  },
};
