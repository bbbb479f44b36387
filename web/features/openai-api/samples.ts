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

const WRITERS: Record<SampleLanguage, (sample: Sample) => string> = { curl, python, typescript };

/** A program that asks one question; `prompt` is one of ours and holds neither quotes nor backslashes. */
export function writeSample(language: SampleLanguage, sample: Sample): string {
  return WRITERS[language](sample);
}

/** What the server answers to such a request, without what a first reader has no use for; `credits`: what it charged. */
export function writeAnswer(model: string, answer: string, credits: number): string {
  return `{
  "id": "chatcmpl-…",
  "object": "chat.completion",
  "model": "${model}",
  "choices": [
    {
      "index": 0,
      "message": {
        "role": "assistant",
        "content": "${answer}"
      },
      "finish_reason": "stop"
    }
  ],
  "usage": {
    "prompt_tokens": 14,
    "completion_tokens": 32,
    "total_tokens": 46,
    "credits_charged": ${credits}
  }
}`;
}
