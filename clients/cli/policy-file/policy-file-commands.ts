import { counted } from '@tollfree/contract/counted';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { policyFilePath } from '@tollfree/contract/policy-file';
import { createManagementClient, type ManagementClient } from '@tollfree/sdk/management';
import { missingApiKey, openManagement, openPaymaster } from '../open-management.ts';
import { CliError, exitCodes, mistake } from '../terminal/cli-error.ts';
import { processEnvironment } from '../terminal/environment.ts';
import { type Flags, textFlag } from '../terminal/flags.ts';
import { printAnswer, printHint, printLine } from '../terminal/print-answer.ts';
import { readNamedFile } from '../terminal/read-file.ts';
import {
  describePolicyChanges,
  findPolicyChanges,
  type Made,
  makePolicyChanges,
  type PolicyChange,
  type PolicyChanges,
} from './policy-changes.ts';
import {
  type PoliciesInForce,
  type PolicyDocument,
  parsePolicyDocument,
  readPoliciesInForce,
} from './policy-document.ts';

/** Exit code if the file differs from the current policies: neither a mistake nor something to retry. */
const exitDiffers = exitCodes.review.code;

/** `tollfree policy export`: its output is valid input for `policy diff` and `policy apply`. */
export async function exportPolicies(flags: Flags): Promise<void> {
  const { client, baseUrl, paymasterId } = await openPolicies(flags, undefined);
  const { policy, policies } = await readPoliciesInForce(client);
  const file = {
    $schema: `${baseUrl.replace(/\/+$/, '')}${policyFilePath}`,
    ...omitAbsent({ paymasterId }),
    policy,
    policies: policies.map(({ policyId: _, createdAt: __, updatedAt: ___, etag: ____, ...entry }) => entry),
  };
  printAnswer(flags, file, () => printLine(JSON.stringify(file, null, 2)));
}

/** `tollfree policy diff`: exit code 0 if nothing would change, else {@link exitDiffers}. */
export async function diffPolicies(file: string, flags: Flags): Promise<void> {
  const { paymasterId, found } = await compare(file, flags);
  const { changes } = found;
  printAnswer(flags, { ...omitAbsent({ paymasterId }), ...found }, () => show(found, printLine));
  if (changes.length > 0) throw new CliError(`${countPolicies(changes)} would change`, exitDiffers);
}

/** `tollfree policy apply`: shows the changes, and makes them if `--yes` or the user at the terminal confirms. */
export async function applyPolicies(file: string, flags: Flags): Promise<void> {
  const { client, paymasterId, document, inForce, found } = await compare(file, flags);
  const { changes, kept } = found;
  show(found, flags.json === true ? printHint : printLine);
  if (changes.length > 0 && !(await isWanted(flags))) {
    throw new CliError('Nothing was changed. Apply it with --yes', exitDiffers);
  }
  const made: Made[] = [];
  try {
    await makePolicyChanges(client, { document, inForce }, changes, (one) => made.push(one));
  } catch (error) {
    for (const line of describeHalf(made, changes)) printHint(line);
    throw error;
  }
  const ids = new Map(made.map(({ change, policyId }) => [change, policyId]));
  const answer = changes.map((change) => ({ ...change, ...omitAbsent({ policyId: ids.get(change) }) }));
  printAnswer(flags, { ...omitAbsent({ paymasterId }), changes: answer, kept }, () => {
    if (made.length > 0) printLine(`Changed ${countPolicies(changes)}, effective from the next request.`);
    for (const { change, policyId } of made) {
      if (change.action === 'create') printLine(`The policy ${JSON.stringify(change.name)} is ${policyId}.`);
    }
  });
}

type Compared = OpenPolicies & {
  readonly document: PolicyDocument;
  readonly inForce: PoliciesInForce;
  readonly found: PolicyChanges;
};

async function compare(file: string, flags: Flags): Promise<Compared> {
  const document = parsePolicyDocument(readNamedFile(file, 'The policy file'), file);
  const prune = flags.prune === true;
  if (prune && document.policies === undefined) {
    throw mistake('--prune needs policies in the file; an empty list deletes all but the default policy.');
  }
  const opened = await openPolicies(flags, document.paymasterId);
  const inForce = await readPoliciesInForce(opened.client);
  const found = findPolicyChanges(document, inForce, { prune });
  await checkPolicyChanges(opened.client, document, found.changes);
  return { ...opened, document, inForce, found };
}

function show(found: PolicyChanges, print: (line: string) => void): void {
  for (const line of describePolicyChanges(found)) print(line);
  if (found.changes.length === 0) print('Nothing would change: the file matches the current policies.');
}

async function isWanted(flags: Flags): Promise<boolean> {
  if (flags.yes === true) return true;
  if (flags.json === true || process.stdin.isTTY !== true || process.stderr.isTTY !== true) return false;
  const { confirm } = await import('@clack/prompts');
  return (await confirm({ message: 'Apply it?', initialValue: false, output: process.stderr })) === true;
}

function countPolicies({ length }: readonly PolicyChange[]): string {
  return counted(length, 'policy', 'policies');
}

/**
 * Has the service check every policy before setting any: its contracts must be registered. A preview of one decision checks
 * as much as setting it, changes nothing, and only needs read access.
 */
async function checkPolicyChanges(
  client: ManagementClient,
  document: PolicyDocument,
  changes: readonly PolicyChange[],
): Promise<void> {
  for (const { action, name, policyId } of changes) {
    if (action === 'delete') continue;
    const index = document.policies?.findIndex((entry) => entry.name === name) ?? -1;
    const policy = name === undefined ? document.policy : document.policies?.[index]?.policy;
    if (policy === undefined) continue;
    try {
      await client.previewPolicy({ policy, policyId, last: 1 });
    } catch (error) {
      if (!(error instanceof Error) || !('status' in error) || error.status !== 400) throw error;
      const location = name === undefined ? 'policy' : `policies[${index}].policy`;
      throw mistake(`The service would not accept the policy file: ${location}.${error.message}`, error);
    }
  }
}

/** Describes a partly applied file: which changes were made. Empty if none were. */
export function describeHalf(made: readonly Made[], changes: readonly PolicyChange[]): readonly string[] {
  if (made.length === 0) return [];
  const done = new Set(made.map(({ change }) => change));
  const [first, ...rest] = changes.filter((change) => !done.has(change)).map(deedOf);
  return [
    `Done: ${[...done].map(deedOf).join(', ')}.`,
    `Failed: ${first}.`,
    ...(rest.length === 0 ? [] : [`Not tried: ${rest.join(', ')}.`]),
  ];
}

function deedOf({ action, name }: PolicyChange): string {
  return `${action} ${name === undefined ? 'the default policy' : `the policy ${JSON.stringify(name)}`}`;
}

/** Where policies are read and written. */
type OpenPolicies = {
  readonly client: ManagementClient;
  readonly baseUrl: string;
  /** Absent for an apiKey that is not the paymaster's own, which no list contains. */
  readonly paymasterId?: string;
};

/**
 * The policies of the paymaster whose id the file names, or else that of the given apiKey. Refuses a file and an apiKey of
 * different paymasters.
 */
async function openPolicies(flags: Flags, paymasterId: string | undefined): Promise<OpenPolicies> {
  const isNamed = textFlag(flags, 'paymaster') !== undefined;
  const target = openManagement(flags);
  const isChosen = isNamed || (paymasterId === undefined && target.chosen !== undefined);
  const { client, baseUrl, authToken, apiKey } = isChosen ? await openPaymaster(flags, target) : target;
  const paymasters = await client.listPaymasters();
  if (paymasterId === undefined) {
    if (apiKey === undefined) throw missingApiKey();
    const own = paymasters.find((one) => one.apiKey === apiKey);
    return { client, baseUrl, ...(own === undefined ? {} : { paymasterId: own.paymasterId }) };
  }
  const named = paymasters.find((one) => one.paymasterId === paymasterId);
  if (named === undefined) {
    throw mistake(`The policy file is for the paymaster ${paymasterId}, which this account does not have.`);
  }
  const asked = isNamed ? apiKey : (textFlag(flags, 'apiKey') ?? (processEnvironment().TOLLFREE_API_KEY || undefined));
  if (asked !== undefined && asked !== named.apiKey) {
    throw mistake(
      `The policy file is for the paymaster ${paymasterId}, but another one is named. Leave one of them out.`,
    );
  }
  return { client: createManagementClient({ baseUrl, authToken, apiKey: named.apiKey }), baseUrl, paymasterId };
}
