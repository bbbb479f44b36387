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

const curl = ({ baseUrl, model, prompt }: Sample) => `curl -N ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer $PARLEY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{"role": "user", "content": "${prompt}"}],
    "stream": true
  }'`;

const python = ({ baseUrl, model, prompt }: Sample) => `# pip install openai
import os
from openai import OpenAI

client = OpenAI(
    base_url="${baseUrl}",
    api_key=os.environ["PARLEY_API_KEY"],
)
stream = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "${prompt}"}],
    stream=True,
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`;

const typescript = ({ baseUrl, model, prompt }: Sample) => `// npm install openai
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${baseUrl}',
  apiKey: process.env.PARLEY_API_KEY,
});
const stream = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: '${prompt}' }],
  stream: true,
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta?.content ?? '');
}`;

const WRITERS: Record<SampleLanguage, (sample: Sample) => string> = { curl, python, typescript };

/** A program that asks one question; `prompt` is one of ours and holds neither quotes nor backslashes. */
export function writeSample(language: SampleLanguage, sample: Sample): string {
  return WRITERS[language](sample);
}
