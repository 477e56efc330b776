import { readFile } from 'node:fs/promises';
import { ticketKeyKinds } from '@tollfree/contract/ticket-key';
import { openPaymasterId } from './open-management.ts';
import { mistake } from './terminal/cli-error.ts';
import { type Flags, textFlag } from './terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows } from './terminal/print-answer.ts';

/** `tollfree ticket-key create`: prints only the secret key on stdout, if there is one. */
export async function createTicketKey(name: string, flags: Flags): Promise<void> {
  const given = (textFlag(flags, 'kind') ?? 'ES256').toUpperCase();
  const kind = ticketKeyKinds.find((known) => known === given);
  if (kind === undefined) throw mistake(`--kind must be one of ${ticketKeyKinds.join(', ')}.`);
  const file = textFlag(flags, 'publicKey');
  const publicKey = file === undefined ? undefined : await readKeyFile(file);
  const jwksUrl = textFlag(flags, 'jwksUrl');
  const issuer = textFlag(flags, 'issuer');
  const audience = textFlag(flags, 'audience');
  const { client, paymasterId } = await openPaymasterId(flags);
  const created = await client.createTicketKey({ paymasterId, name, kind, publicKey, jwksUrl, issuer, audience });
  printAnswer(flags, created, () => {
    if (created.secret !== undefined) {
      printLine(JSON.stringify(created.secret));
      printHint("This key signs tickets and is shown only once. Store it with your backend's secrets.");
    } else {
      printLine(created.ticketKeyId);
    }
    printHint(`Its tickets have aud ${created.audience}${created.kid === undefined ? '' : ` and kid ${created.kid}`}.`);
  });
}

async function readKeyFile(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw mistake(`--public-key: ${file} cannot be read.`);
  });
  try {
    const key: unknown = JSON.parse(text);
    if (typeof key === 'object' && key !== null && !Array.isArray(key)) return { ...key };
  } catch {
    // reported below
  }
  throw mistake(`--public-key: ${file} must hold a JSON object (RFC 7517).`);
}

export async function listTicketKeys(flags: Flags): Promise<void> {
  const { client, paymasterId } = await openPaymasterId(flags);
  const keys = await client.listTicketKeys({ paymasterId });
  printAnswer(flags, keys, () =>
    printRows(
      keys.map(({ ticketKeyId, name, kind, audience, issuer = '', createdAt }) => ({
        ticketKeyId,
        name,
        kind,
        audience,
        issuer,
        made: formatTime(createdAt),
      })),
      'This paymaster has no ticket keys.',
    ),
  );
}

export async function deleteTicketKey(ticketKeyId: string, flags: Flags): Promise<void> {
  const { client, paymasterId } = await openPaymasterId(flags);
  await client.deleteTicketKey({ paymasterId, ticketKeyId });
  printAnswer(flags, { ticketKeyId }, () => printLine(`Deleted the ticket key ${ticketKeyId}.`));
}
