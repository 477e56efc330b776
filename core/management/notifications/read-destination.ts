import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Input } from '../../domain/core.ts';
import type { NotificationTarget } from '../../domain/notification.ts';
import { accept, invalidField, type Result } from '../../domain/result/result.ts';
import type { TargetAddress } from '../../outbox/targets/target.ts';

type Entered = Pick<Input<'createNotification'>, 'target' | 'token' | 'chatId'> & { readonly url?: string };

/** Where messages go. The URL is not checked yet. */
type Destination = {
  readonly target: NotificationTarget;
  readonly url: string;
  /** What is sealed of it; absent for `WEBHOOK`, whose URL is no secret. */
  readonly address?: TargetAddress;
  /** What may be shown of a sealed address. */
  readonly recipient?: string;
};

type Needs = {
  /** Where messages go unless a URL is given; absent where one has to be. */
  readonly usualUrl?: string;
  readonly token?: { readonly form: RegExp; readonly error: string };
  readonly hasChat?: boolean;
};

const needs: Readonly<Record<NotificationTarget, Needs>> = {
  WEBHOOK: {},
  SLACK: {},
  DISCORD: {},
  TELEGRAM: {
    usualUrl: 'https://api.telegram.org',
    token: { form: /^\d{1,20}:[\w-]{20,120}$/, error: 'must be the token of a bot, like 123456789:AAF…' },
    hasChat: true,
  },
  PAGERDUTY: {
    usualUrl: 'https://events.pagerduty.com',
    token: { form: /^[a-zA-Z0-9]{20,64}$/, error: 'must be the integration key of an Events API v2 integration' },
  },
};

const chatForm = /^(-?\d{1,20}|@\w{4,32})$/;
const chatError = 'must be the number of a chat, like -1001234567890, or the name of a public channel, like @alerts';

/** The destination that was entered, or what its target lacks or does not take. */
export function readDestination({ target = 'WEBHOOK', url, token, chatId }: Entered): Result<Destination> {
  const { usualUrl, token: wanted, hasChat = false } = needs[target];
  const to = url === undefined || url === '' ? usualUrl : url;
  if (to === undefined) return invalidField('url', 'must be a valid URL');
  if (token !== undefined && wanted === undefined) return invalidField('token', `must be left out for ${target}`);
  if (wanted !== undefined && !wanted.form.test(token ?? '')) return invalidField('token', wanted.error);
  if (chatId !== undefined && !hasChat) return invalidField('chatId', `must be left out for ${target}`);
  if (hasChat && !chatForm.test(chatId ?? '')) return invalidField('chatId', chatError);
  if (target === 'WEBHOOK') return accept({ target, url: to });
  const address = { url: to, ...omitAbsent({ token, chatId }) };
  return accept({ target, url: to, address, recipient: chatId ?? `…${(token ?? to).slice(-4)}` });
}
