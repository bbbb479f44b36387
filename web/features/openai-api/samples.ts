export const SAMPLE_LANGUAGES = ['curl', 'python', 'typescript'] as const;
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];

/** How a language is called on screen, everywhere alike. */
export const SAMPLE_NAMES: Record<SampleLanguage, string> = {
  curl: 'curl',
  python: 'Python',
  typescript: 'TypeScript',
};

interface Sample {
  /** Ends with `/v1`. */
  baseUrl: string;
  model: string;
  prompt: string;
}

const curl = ({ baseUrl, model, prompt }: Sample) => `curl ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer $PARLEY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{"role": "user", "content": "${prompt}"}]
  }'`;

const python = ({ baseUrl, model, prompt }: Sample) => `# pip install openai
import os
from openai import OpenAI

client = OpenAI(
    base_url="${baseUrl}",
    api_key=os.environ["PARLEY_API_KEY"],
)
completion = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "${prompt}"}],
)
print(completion.choices[0].message.content)`;

const typescript = ({ baseUrl, model, prompt }: Sample) => `// npm install openai
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${baseUrl}',
  apiKey: process.env.PARLEY_API_KEY,
});
const completion = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: '${prompt}' }],
});
console.log(completion.choices[0]?.message.content);`;

/** What stands in the samples until the page knows it; the number is one, so that it has the colour of numbers. */
const PLACEHOLDERS = {
  baseUrl: '{base}',
  prompt: '{prompt}',
  answer: '{answer}',
  credits: '1000000001',
} as const;
/** The model that the samples ask. */
export const SAMPLE_MODEL = 'parley-flash';

type Filling = Record<keyof typeof PLACEHOLDERS, string>;

/** The samples as HTML, by their languages, and that of the server's answer. */
export type Samples = Record<SampleLanguage | 'answer', string>;

/** Programs that ask one question, and what the server answers, without what a first reader has no use for. `colour`: makes HTML of code. */
export function writeSamples(colour: (code: string, language: string) => string): Samples {
  const { baseUrl, prompt } = PLACEHOLDERS;
  const sample = { baseUrl, model: SAMPLE_MODEL, prompt };
  return {
    curl: colour(curl(sample), 'bash'),
    python: colour(python(sample), 'python'),
    typescript: colour(typescript(sample), 'typescript'),
    answer: colour(ANSWER, 'json'),
  };
}

/** A sample of `writeSamples` with what the page knows; its texts are ours and hold neither quotes nor what HTML has a meaning for. */
export function fillSample(html: string, filling: Filling): string {
  const names = Object.keys(PLACEHOLDERS) as (keyof Filling)[];
  return names.reduce((text, name) => text.replaceAll(PLACEHOLDERS[name], () => filling[name]), html);
}

const ANSWER = `{
  "id": "chatcmpl-…",
  "object": "chat.completion",
  "model": "${SAMPLE_MODEL}",
  "choices": [
    {
      "index": 0,
      "message": {
        "role": "assistant",
        "content": "${PLACEHOLDERS.answer}"
      },
      "finish_reason": "stop"
    }
  ],
  "usage": {
    "prompt_tokens": 14,
    "completion_tokens": 32,
    "total_tokens": 46,
    "credits_charged": ${PLACEHOLDERS.credits}
  }
}`;
