import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { PolicyRequest } from '@tollfree/contract/policy';
import { PolicyRequestSchema } from '@tollfree/contract/policy-fields';
import type { ManagementClient } from '@tollfree/sdk/management';
import { openPaymaster } from './open-management.ts';
import { mistake } from './terminal/cli-error.ts';
import { type Flags, textFlag, yesNoFlag } from './terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows } from './terminal/print-answer.ts';
import { readNamedFile } from './terminal/read-file.ts';

export async function listPolicies(flags: Flags): Promise<void> {
  const { client } = openPaymaster(flags);
  const policies = await client.listPolicies();
  printAnswer(flags, policies, () => {
    if (policies.length === 0) return printHint('This paymaster has only the default policy: tollfree policy show.');
    printRows(
      policies.map(({ policyId, name, enabled, updatedAt }) => ({
        policyId,
        name,
        'may be chosen': enabled ? 'yes' : 'no',
        changed: formatTime(updatedAt),
      })),
    );
  });
}

export async function createPolicy(name: string, file: string, flags: Flags): Promise<void> {
  const policy = readPolicyFile(file);
  const description = textFlag(flags, 'description');
  const author = textFlag(flags, 'author');
  const icon = textFlag(flags, 'icon');
  const enabled = flags.closed !== true;
  const { client } = openPaymaster(flags);
  const created = await client.createPolicy({ name, description, author, icon, enabled, policy });
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
  const { client } = openPaymaster(flags);
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
  const { client } = openPaymaster(flags);
  const changed = await change(client, policyId, { policy });
  printAnswer(flags, changed, () =>
    printLine(`Replaced the policy ${policyId} with ${file}, effective from the next request.`),
  );
}

export async function deletePolicy(policyId: string, flags: Flags): Promise<void> {
  const { client } = openPaymaster(flags);
  await client.deletePolicy({ policyId });
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

/** The policy in a JSON file. Invalid fields are reported in the service's words. */
export function readPolicyFile(file: string): PolicyRequest {
  const text = readNamedFile(file, 'The policy file');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw mistake(`The policy file ${file} is not JSON.`, error);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw mistake(`The policy file ${file} must hold a JSON object.`);
  }
  const policy = PolicyRequestSchema.safeParse(content);
  if (policy.success) return policy.data;
  throw mistake(`The policy file ${file} is not valid: ${policy.error.issues[0]?.message ?? 'it holds no policy'}`);
}
