type Tokens = (number | string)[];

const TOKEN = /\d+(?:\.\d+)?|[-+*/^()%]/g;

function tokenize(expression: string): Tokens {
  return (expression.match(TOKEN) ?? []).map((token) => (/\d/.test(token) ? Number(token) : token));
}

/** sum := product (('+' | '-') product)*, and so on downwards; every rule takes what it reads off the front of the list. */
function readSum(tokens: Tokens): number {
  let value = readProduct(tokens);
  while (tokens[0] === '+' || tokens[0] === '-') {
    const sign = tokens.shift() === '+' ? 1 : -1;
    value += sign * readProduct(tokens);
  }
  return value;
}

function readProduct(tokens: Tokens): number {
  let value = readPower(tokens);
  while (tokens[0] === '*' || tokens[0] === '/' || tokens[0] === '%') {
    const operator = tokens.shift();
    const right = readPower(tokens);
    if (operator === '*') value *= right;
    else value = operator === '/' ? value / right : value % right;
  }
  return value;
}

function readPower(tokens: Tokens): number {
  if (tokens[0] === '-') {
    tokens.shift();
    return -readPower(tokens);
  }
  const base = readAtom(tokens);
  if (tokens[0] !== '^') return base;
  tokens.shift();
  return base ** readPower(tokens);
}

function readAtom(tokens: Tokens): number {
  const token = tokens.shift();
  if (typeof token === 'number') return token;
  if (token !== '(') return Number.NaN;
  const value = readSum(tokens);
  return tokens.shift() === ')' ? value : Number.NaN;
}

/** The value of an expression with `+ - * / % ^` and brackets; null when it is none, or divides by zero. */
export function calculate(expression: string): number | null {
  const tokens = tokenize(expression);
  const value = readSum(tokens);
  return tokens.length === 0 && Number.isFinite(value) ? value : null;
}
