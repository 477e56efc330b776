import { z } from 'zod';
import { readAnswer } from './read-answer.ts';
import type { TargetFormat } from './target.ts';

const AnswerSchema = z.object({ message: z.string() });

/**
 * Discord's webhooks (https://docs.discord.com/developers/resources/webhook#execute-webhook). The URL is the whole address. A
 * message mentions no one, whatever a name in it looks like.
 */
export const discord: TargetFormat = {
  requestOf: ({ url }, { title, lines }) => {
    const content = [`**${title}**`, ...lines].join('\n');
    return { url, body: JSON.stringify({ content, allowed_mentions: { parse: [] } }) };
  },
  reasonOf: (answer) => readAnswer(AnswerSchema, answer)?.message,
};
