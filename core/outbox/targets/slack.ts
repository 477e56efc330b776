import type { TargetFormat } from './target.ts';

/**
 * Slack's incoming webhooks (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks), which Mattermost and
 * others take too. The URL is the whole address. Answers are a word of plain text, such as `no_service`.
 */
export const slack: TargetFormat = {
  requestOf: ({ url }, { title, lines }) => {
    const text = [`*${escapeMarkup(title)}*`, ...lines.map(escapeMarkup)].join('\n');
    return { url, body: JSON.stringify({ text, unfurl_links: false }) };
  },
  reasonOf: (answer) => (/^[a-z_]{1,60}$/.test(answer.trim()) ? answer.trim() : undefined),
};

/** Three characters are markup in Slack's texts; an asterisk in a title only ends its bold part. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
