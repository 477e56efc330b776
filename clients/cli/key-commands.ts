import type { ApiKeyRulesItem } from '@tollfree/contract/api-key-rules';
import { counted } from '@tollfree/contract/counted';
import { maxApiKeyGraceSeconds } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { readKeyRules } from './key-rule-flags.ts';
import { openPaymasterId } from './open-management.ts';
import { mistake } from './terminal/cli-error.ts';
import { type Flags, requiredFlag, textFlag, yesNoFlag } from './terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows } from './terminal/print-answer.ts';

export async function listApiKeys(flags: Flags): Promise<void> {
  const { client, paymasterId } = await openPaymasterId(flags);
  const keys = await client.listApiKeys({ paymasterId });
  printAnswer(flags, keys, () =>
    printRows(
      keys.map(({ apiKeyId, name, lastFour, disabled, createdAt, expiresAt, lastUsedAt, rules }) => ({
        apiKeyId,
        'ends with': lastFour,
        made: formatTime(createdAt),
        'last used': lastUsedAt === undefined ? 'never' : formatTime(lastUsedAt),
        accepted: disabled ? 'disabled' : expiresAt === undefined ? 'yes' : `until ${formatTime(expiresAt)}`,
        'restricted to': describeKeyRules(rules).join('; ') || '-',
        name,
      })),
    ),
  );
}

/** `tollfree key create`: prints only the new apiKey on stdout. */
export async function createApiKey(name: string, flags: Flags): Promise<void> {
  const rules = readKeyRules(flags);
  const { client, paymasterId } = await openPaymasterId(flags);
  const created = await client.createApiKey({ paymasterId, name, rules });
  printAnswer(flags, created, () => {
    printLine(created.apiKey);
    printHint(`It is shown only once. Its id is ${created.apiKeyId}.`);
  });
}

export async function updateApiKey(apiKeyId: string, flags: Flags): Promise<void> {
  const name = textFlag(flags, 'name');
  const active = yesNoFlag(flags, 'active');
  const asked = readKeyRules(flags);
  if (name === undefined && asked === undefined && active === undefined)
    throw mistake('Name a change, for instance with --name.');
  const { client, paymasterId } = await openPaymasterId(flags);
  const keys = asked === undefined ? [] : await client.listApiKeys({ paymasterId });
  const before = keys.find((key) => key.apiKeyId === apiKeyId);
  const rules = readKeyRules(flags, before?.rules);
  const disabled = active === undefined ? undefined : !active;
  const key = await client.updateApiKey({
    paymasterId,
    apiKeyId,
    ...omitAbsent({ name, rules, disabled, etag: before?.etag }),
  });
  printAnswer(flags, key, () => {
    printLine(`Changed the apiKey ${key.name} (${apiKeyId}).`);
    if (key.disabled) printLine('Nothing is sponsored with it.');
    for (const line of describeKeyRules(key.rules)) printLine(line);
  });
}

/** `tollfree key rotate`: prints only the new apiKey on stdout. */
export async function rotateApiKey(apiKeyId: string | undefined, flags: Flags): Promise<void> {
  const grace = requiredFlag(flags, 'graceSeconds');
  const graceSeconds = /^\d{1,10}$/.test(grace) ? Number(grace) : Number.NaN;
  if (!(graceSeconds <= maxApiKeyGraceSeconds)) {
    throw mistake(`--grace-seconds must be a whole number from 0 to ${maxApiKeyGraceSeconds}.`);
  }
  const { client, paymasterId } = await openPaymasterId(flags);
  const created = await client.rotateApiKey({ paymasterId, graceSeconds, apiKeyId });
  printAnswer(flags, created, () => {
    printLine(created.apiKey);
    printHint(
      graceSeconds === 0
        ? 'Earlier keys are no longer accepted.'
        : `Earlier keys are accepted until ${formatTime(created.createdAt + graceSeconds)}.`,
    );
  });
}

export async function endApiKey(apiKeyId: string, flags: Flags): Promise<void> {
  const { client, paymasterId } = await openPaymasterId(flags);
  await client.endApiKey({ paymasterId, apiKeyId });
  printAnswer(flags, { apiKeyId }, () => printLine(`Ended the apiKey ${apiKeyId}.`));
}

/** The restrictions of a key, one line per kind; none for an unrestricted key. */
function describeKeyRules({ origins, networks, methods, rate, limits }: ApiKeyRulesItem): readonly string[] {
  const list = (what: string, items: readonly string[]) => (items.length === 0 ? [] : [`${what} ${items.join(', ')}`]);
  return [
    ...list('origins', origins),
    ...list('networks', networks),
    ...list('methods', methods),
    ...(rate === undefined ? [] : [`${counted(rate.perSecond, 'request')} per second, burst ${rate.burst}`]),
    ...limits.map(({ window, unit, max }) => `at most ${max} ${unit} in ${window}`),
  ];
}
