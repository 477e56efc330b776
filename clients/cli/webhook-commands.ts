import { maxPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { AccountWebhookItem, WebhookAnswerItem, WebhookItem, WebhookPayload } from '@tollfree/contract/webhook';
import { openManagement, openPaymaster } from './open-management.ts';
import { mistake } from './terminal/cli-error.ts';
import { countFlag, type Flags, textFlag, yesNoFlag } from './terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows, printSecret } from './terminal/print-answer.ts';

export async function createWebhook(webhookUrl: string, flags: Flags): Promise<void> {
  const requestType = (textFlag(flags, 'requestType') ?? 'POST').toUpperCase();
  if (requestType !== 'GET' && requestType !== 'POST') throw mistake('--request-type must be GET or POST.');
  const payload = payloadFlag(flags);
  const webhook = await (await openPaymaster(flags)).client.createWebhook({ webhookUrl, requestType, payload });
  printAnswer(flags, webhook, () => {
    printLine(`Registered the webhook ${webhook.webhookId}. It is active.`);
    printHint(`The secret that signs its calls: tollfree webhook secret ${webhook.webhookId}`);
  });
}

/** What the webhook receives; unchanged if absent. */
function payloadFlag(flags: Flags): WebhookPayload | undefined {
  const payload = textFlag(flags, 'payload')?.toUpperCase();
  if (payload === undefined || payload === 'DATA' || payload === 'OPERATION') return payload;
  throw mistake('--payload must be data or operation.');
}

function toRow({ active, payload = 'DATA', ...webhook }: WebhookItem & { readonly active: boolean }) {
  return { ...webhook, payload, active: active ? 'yes' : 'no' };
}

/** `tollfree webhook list`: the one with an id, or all of the account. */
export async function listWebhooks(webhookId: string | undefined, flags: Flags): Promise<void> {
  const webhooks =
    webhookId === undefined
      ? await readAccountWebhooks(flags)
      : await (await openPaymaster(flags)).client.listWebhooks({ webhookId });
  printAnswer(flags, webhooks, () => {
    if (webhooks.length > 0) return printRows(webhooks.map(toRow));
    printHint(
      webhookId === undefined ? 'This account has no webhooks.' : 'This paymaster has no webhook with this id.',
    );
  });
}

async function readAccountWebhooks(flags: Flags): Promise<readonly AccountWebhookItem[]> {
  const { client } = openManagement(flags);
  const webhooks: AccountWebhookItem[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listAccountWebhooks({ cursor, limit: maxPageSize });
    webhooks.push(...page.webhooks);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return webhooks;
}

export async function testWebhook(webhookId: string, flags: Flags): Promise<void> {
  const answer = await (await openPaymaster(flags)).client.testWebhook({ webhookId });
  printAnswer(flags, answer, () => printLine(`The webhook ${describe(answer)}. It took ${answer.durationMs} ms.`));
}

export async function listWebhookAnswers(webhookId: string, flags: Flags): Promise<void> {
  const limit = countFlag(flags, 'limit', maxPageSize);
  const cursor = textFlag(flags, 'cursor');
  const page = await (await openPaymaster(flags)).client.listWebhookAnswers({ webhookId, cursor, limit });
  printAnswer(flags, page, () => {
    if (page.answers.length === 0) return printHint('Not called yet.');
    printRows(
      page.answers.map((answer) => ({
        time: formatTime(answer.askedAt),
        verdict: answer.verdict,
        answer: describe(answer),
        ms: String(answer.durationMs),
        test: answer.isTest ? 'yes' : 'no',
      })),
    );
    if (page.nextCursor !== undefined) printHint(`There are older ones: --cursor ${page.nextCursor}`);
  });
}

function describe({ verdict, status, problem }: WebhookAnswerItem): string {
  if (problem !== undefined) return problem;
  return `answered ${status}: ${verdict === 'approved' ? 'the policies are met' : 'the policies are not met'}`;
}

export async function updateWebhook(webhookId: string, flags: Flags): Promise<void> {
  const changes = omitAbsent({ active: yesNoFlag(flags, 'active'), payload: payloadFlag(flags) });
  if (Object.keys(changes).length === 0) throw mistake('Name a change, for instance with --active.');
  const { client } = await openPaymaster(flags);
  const [current] = changes.active === undefined ? await client.listWebhooks({ webhookId }) : [];
  const { active = current?.active ?? true } = changes;
  await client.updateWebhook({ webhookId, ...changes, active, etag: current?.etag });
  printAnswer(flags, { webhookId, ...changes, active }, () => {
    printLine(`Changed the webhook ${webhookId}.`);
    if (!active) printLine('It is not called and does not block.');
  });
}

export async function deleteWebhook(webhookId: string, flags: Flags): Promise<void> {
  await (await openPaymaster(flags)).client.deleteWebhook({ webhookId });
  printAnswer(flags, { webhookId }, () => printLine(`Deleted the webhook ${webhookId}.`));
}

/** `tollfree webhook secret`: prints only the secret on stdout; with `--rotate` a new one. */
export async function showWebhookSecret(webhookId: string, flags: Flags): Promise<void> {
  const { client } = await openPaymaster(flags);
  const { secret } = await (flags.rotate === true
    ? client.rotateWebhookSecret({ webhookId })
    : client.readWebhookSecret({ webhookId }));
  printSecret(flags, secret);
}
