import type { NotificationItem } from '@tollfree/contract/notification';

export type Target = NotificationItem['target'];

type AddressField = {
  readonly label: string;
  readonly placeholder: string;
  /** Where a newcomer finds it, in a sentence. */
  readonly where: string;
};

type TargetLabels = {
  readonly name: string;
  /** Absent where messages go to the service's own URL. */
  readonly url?: AddressField;
  readonly token?: AddressField;
  readonly chatId?: AddressField;
};

/** What each service asks for, in the order of the form. */
export const targets: Readonly<Record<Target, TargetLabels>> = {
  SLACK: {
    name: 'Slack',
    url: {
      label: 'Webhook URL',
      placeholder: 'https://hooks.slack.com/services/…',
      where:
        'In your app on api.slack.com/apps, open Incoming Webhooks, add one to a channel and copy its URL. Mattermost takes the same messages.',
    },
  },
  DISCORD: {
    name: 'Discord',
    url: {
      label: 'Webhook URL',
      placeholder: 'https://discord.com/api/webhooks/…',
      where:
        'In the settings of the channel, open Integrations, then Webhooks, create one and choose Copy Webhook URL.',
    },
  },
  TELEGRAM: {
    name: 'Telegram',
    token: {
      label: 'Bot token',
      placeholder: '123456789:AAF…',
      where: 'Send /newbot to @BotFather. It answers with the token.',
    },
    chatId: {
      label: 'Chat',
      placeholder: '-1001234567890 or @alerts',
      where: 'Add the bot to the chat. The address of the chat in Telegram Web ends with its number.',
    },
  },
  PAGERDUTY: {
    name: 'PagerDuty',
    token: {
      label: 'Integration key',
      placeholder: '32 letters and digits',
      where: 'In your PagerDuty service, open Integrations, add Events API V2 and copy the Integration Key.',
    },
  },
  WEBHOOK: {
    name: 'Your own server',
    url: {
      label: 'URL',
      placeholder: 'https://',
      where: 'It gets a signed POST after each event. Must be https and public, unless the operator allows others.',
    },
  },
};

/** PagerDuty has a server for each region; an integration key works at one of them. */
export const pagerdutyRegions = [
  { value: 'https://events.pagerduty.com', text: 'United States' },
  { value: 'https://events.eu.pagerduty.com', text: 'Europe' },
] as const;

/** Where messages of a notification go, for people. */
export function destinationText({ target, url, recipient }: NotificationItem): string {
  return target === 'WEBHOOK' ? url : `${targets[target].name} ${recipient ?? ''}`.trim();
}
