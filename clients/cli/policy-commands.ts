import { isOfUnknownField, suggestField } from '@tollfree/contract/fields/nearest-field';
import { maxPreview, maxPreviewDays } from '@tollfree/contract/limits';
import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { PolicyItem, PolicyRequest } from '@tollfree/contract/policy';
import { PolicyRequestSchema } from '@tollfree/contract/policy-fields';
import type { ManagementClient } from '@tollfree/sdk/management';
import { formatEther, parseEther } from 'viem';
import type { z } from 'zod';
import { openPaymaster } from './open-management.ts';
import { printPreview } from './print-preview.ts';
import { mistake } from './terminal/cli-error.ts';
import { countFlag, type Flags, textFlag, yesNoFlag } from './terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows } from './terminal/print-answer.ts';
import { readJsonFile } from './terminal/read-file.ts';

/** `tollfree policy show`: its output is valid input for `policy set`. */
export async function showPolicy(flags: Flags): Promise<void> {
  const policyId = textFlag(flags, 'policy');
  const { client } = await openPaymaster(flags);
  // A file is kept for longer than a version.
  const { etag: _, ...policy } =
    policyId === undefined
      ? await client.readPolicy()
      : ((await client.readNamedPolicy({ policyId })).policy as PolicyItem);
  printAnswer(flags, policy, () => printLine(JSON.stringify(policy, null, 2)));
}

export async function setPolicy(file: string, flags: Flags): Promise<void> {
  const policyId = textFlag(flags, 'policy');
  if (policyId !== undefined) return setNamedPolicy(policyId, file, flags);
  const proposed = readPolicyFile(file);
  const { client } = await openPaymaster(flags);
  const { etag } = await client.readPolicy();
  const policy = await client.setPolicy({ policy: proposed, etag });
  printAnswer(flags, policy, () => printLine(`Replaced the policy with ${file}, effective from the next request.`));
}

const capForm = /^(\d{1,60}(?:\.\d{1,18})?) *(ether|usd)$/i;

/** `tollfree policy set-cap`: changes `maxCostPerOperation`, and nothing else of the policy. */
export async function setCap(amounts: readonly string[], flags: Flags): Promise<void> {
  const caps = amounts.map(readCap);
  const policyId = textFlag(flags, 'policy');
  const { client } = await openPaymaster(flags);
  if (policyId !== undefined) {
    const { policy } = await client.readNamedPolicy({ policyId });
    const capped = withCaps(policy as PolicyItem, caps);
    const changed = await change(client, policyId, { policy: capped });
    printAnswer(flags, changed, () => printCap(capped));
    return;
  }
  const { etag, ...policy } = await client.readPolicy();
  const changed = await client.setPolicy({ policy: withCaps(policy, caps), etag });
  printAnswer(flags, changed, () => printCap(changed));
}

type Caps = NonNullable<PolicyItem['maxCostPerOperation']>;

function withCaps<Policy extends { readonly maxCostPerOperation?: Caps | undefined }>(policy: Policy, caps: Caps[]) {
  return { ...policy, maxCostPerOperation: Object.assign({}, policy.maxCostPerOperation, ...caps) as Caps };
}

function readCap(text: string): Caps {
  const [, amount, unit] = capForm.exec(text.trim()) ?? [];
  if (amount === undefined || unit === undefined)
    throw mistake(`${text} is not a cap. Write an amount of the coin, like "0.02 ether", or of USD, like "1.50 USD".`);
  return unit.toLowerCase() === 'usd' ? { usd: amount } : { wei: parseEther(amount).toString() };
}

function printCap({
  maxCostPerOperation: { wei, usd } = {},
}: {
  readonly maxCostPerOperation?: Caps | undefined;
}): void {
  const caps = [
    ...(wei === undefined ? [] : [`${formatEther(BigInt(wei))} of the coin`]),
    ...(usd === undefined ? [] : [`${usd} USD`]),
  ];
  printLine(`The policy sponsors operations of up to ${caps.join(' and ')}, effective from the next request.`);
}

export async function previewPolicy(file: string, flags: Flags): Promise<void> {
  const last = countFlag(flags, 'last', maxPreview);
  const days = countFlag(flags, 'days', maxPreviewDays);
  const policyId = textFlag(flags, 'policy');
  const policy = readPolicyFile(file);
  const { client } = await openPaymaster(flags);
  const preview = await client.previewPolicy({ policy, last, days, policyId });
  const contracts = flags.json === true ? [] : await client.listSmartContracts();
  printAnswer(flags, preview, () => printPreview(preview, { policy, contracts }));
}

export async function listPolicies(flags: Flags): Promise<void> {
  const policies = await (await openPaymaster(flags)).client.listPolicies();
  printAnswer(flags, policies, () =>
    printRows(
      policies.map(({ policyId, name, enabled, updatedAt }) => ({
        policyId,
        name,
        'may be chosen': enabled ? 'yes' : 'no',
        changed: formatTime(updatedAt),
      })),
      'This paymaster has only the default policy: tollfree policy show.',
    ),
  );
}

export async function createPolicy(name: string, file: string, flags: Flags): Promise<void> {
  const policy = readPolicyFile(file);
  const description = textFlag(flags, 'description');
  const author = textFlag(flags, 'author');
  const icon = textFlag(flags, 'icon');
  const enabled = flags.closed !== true;
  const created = await (await openPaymaster(flags)).client.createPolicy({
    name,
    description,
    author,
    icon,
    enabled,
    policy,
  });
  printAnswer(flags, created, () => {
    printLine(`Created the policy ${created.policyId}.`);
    printHint(
      enabled
        ? 'Requests choose it as policyId in their context. Any caller with the apiKey can.'
        : `No request can choose it yet: tollfree policy update ${created.policyId} --active yes`,
    );
  });
}

export async function updatePolicy(policyId: string, flags: Flags): Promise<void> {
  const enabled = yesNoFlag(flags, 'active');
  const { client } = await openPaymaster(flags);
  const policy = await change(client, policyId, omitAbsent({ enabled }));
  printAnswer(flags, policy, () =>
    printLine(
      enabled
        ? `Requests can choose ${policyId} from now on.`
        : `Requests that name ${policyId} are refused from now on.`,
    ),
  );
}

/** `tollfree policy set --policy`: its name and description stay. */
export async function setNamedPolicy(policyId: string, file: string, flags: Flags): Promise<void> {
  const policy = readPolicyFile(file);
  const { client } = await openPaymaster(flags);
  const changed = await change(client, policyId, { policy });
  printAnswer(flags, changed, () =>
    printLine(`Replaced the policy ${policyId} with ${file}, effective from the next request.`),
  );
}

export async function deletePolicy(policyId: string, flags: Flags): Promise<void> {
  await (await openPaymaster(flags)).client.deletePolicy({ policyId });
  printAnswer(flags, { policyId }, () => printLine(`Deleted ${policyId}. Requests that name it are refused.`));
}

async function change(
  client: ManagementClient,
  policyId: string,
  changes: Partial<Pick<NamedPolicyItem, 'enabled'>> & { readonly policy?: ReturnType<typeof readPolicyFile> },
): Promise<NamedPolicyItem> {
  const { createdAt: _, updatedAt: __, ...before } = await client.readNamedPolicy({ policyId });
  return client.replacePolicy({ ...before, ...changes });
}

/** The first problem of a policy, in the service's words. */
export function policyProblem({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'it holds no policy';
  return isOfUnknownField(issue) ? `${issue.message}. ${suggestField(issue, PolicyRequestSchema)}` : issue.message;
}

/** The policy in a JSON file. Invalid fields are reported in the service's words. */
export function readPolicyFile(file: string): PolicyRequest {
  const content = readJsonFile(file, 'The policy file');
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw mistake(`The policy file ${file} must hold a JSON object.`);
  }
  const policy = PolicyRequestSchema.safeParse(content);
  if (policy.success) return policy.data;
  throw mistake(`The policy file ${file} is not valid: ${policyProblem(policy.error)}`);
}
