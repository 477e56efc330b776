import { z } from 'zod';
import { readAnswer } from './read-answer.ts';
import type { TargetFormat } from './target.ts';

const AnswerSchema = z.object({ description: z.string() });

/**
 * Telegram's Bot API (https://core.telegram.org/bots/api#sendmessage): the bot's token is part of the path. Texts are plain,
 * so nothing in a name is markup.
 */
export const telegram: TargetFormat = {
  requestOf: ({ url, token, chatId }, { title, lines }) => ({
    url: `${url.replace(/\/+$/, '')}/bot${token}/sendMessage`,
    body: JSON.stringify({
      chat_id: chatId,
      text: [title, ...lines].join('\n'),
      link_preview_options: { is_disabled: true },
    }),
  }),
  reasonOf: (answer) => readAnswer(AnswerSchema, answer)?.description,
};
