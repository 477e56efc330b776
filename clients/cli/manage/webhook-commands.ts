import { mistake } from '../cli-error.ts';
import type { Flags } from '../config/load-config.ts';
import { printRows } from '../print-rows.ts';
import { printAnswer, printHint, printLine } from './print-answer.ts';
import { textFlag } from './text-flag.ts';
import { withPaymaster } from './with-management.ts';

/** `tollfree webhook create`. */
export async function createWebhook(webhookUrl: string, flags: Flags): Promise<void> {
  const requestType = (textFlag(flags, 'requestType') ?? 'POST').toUpperCase();
  if (requestType !== 'GET' && requestType !== 'POST') throw mistake('--request-type must be GET or POST.');
  await withPaymaster(flags, async (client) => {
    const webhook = await client.createWebhook({ webhookUrl, requestType });
    printAnswer(flags, webhook, () => {
      printLine(`Registered the webhook ${webhook.webhookId}. It is active.`);
      printHint(`The secret that signs its calls: tollfree webhook secret ${webhook.webhookId}`);
    });
  });
}

/** `tollfree webhook list`. */
export async function listWebhook(webhookId: string, flags: Flags): Promise<void> {
  await withPaymaster(flags, async (client) => {
    const webhooks = await client.listWebhooks({ webhookId });
    printAnswer(flags, webhooks, () => {
      if (webhooks.length === 0) return printHint('This paymaster has no webhook with this id.');
      printRows(webhooks.map(({ active, ...webhook }) => ({ ...webhook, active: active ? 'yes' : 'no' })));
    });
  });
}

/** `tollfree webhook enable`. */
export async function enableWebhook(webhookId: string, flags: Flags): Promise<void> {
  await withPaymaster(flags, async (client) => {
    await client.updateWebhook({ webhookId, active: true });
    printAnswer(flags, { webhookId, active: true }, () => printLine(`The webhook ${webhookId} is active.`));
  });
}

/** `tollfree webhook disable`. */
export async function disableWebhook(webhookId: string, flags: Flags): Promise<void> {
  await withPaymaster(flags, async (client) => {
    await client.updateWebhook({ webhookId, active: false });
    printAnswer(flags, { webhookId, active: false }, () => {
      printLine(`The webhook ${webhookId} is inactive: it is not asked and does not block.`);
    });
  });
}

/** `tollfree webhook delete`. */
export async function deleteWebhook(webhookId: string, flags: Flags): Promise<void> {
  await withPaymaster(flags, async (client) => {
    await client.deleteWebhook({ webhookId });
    printAnswer(flags, { webhookId }, () => printLine(`Deleted the webhook ${webhookId}.`));
  });
}

/** `tollfree webhook secret`: the secret alone on stdout. */
export async function readWebhookSecret(webhookId: string, flags: Flags): Promise<void> {
  await withPaymaster(flags, async (client) => {
    const { secret } = await client.readWebhookSecret({ webhookId });
    printAnswer(flags, { secret }, () => printLine(secret));
  });
}

/** `tollfree webhook rotate-secret`: the new secret alone on stdout. */
export async function rotateWebhookSecret(webhookId: string, flags: Flags): Promise<void> {
  await withPaymaster(flags, async (client) => {
    const { secret } = await client.rotateWebhookSecret({ webhookId });
    printAnswer(flags, { secret }, () => {
      printLine(secret);
      printHint('The previous secret no longer signs anything.');
    });
  });
}
