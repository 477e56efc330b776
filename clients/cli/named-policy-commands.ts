import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { ManagementClient } from '@tollfree/sdk/management';
import { openPaymaster } from './open-management.ts';
import { readPolicyFile } from './read-policy-file.ts';
import { type Flags, textFlag, yesNoFlag } from './terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows } from './terminal/print-answer.ts';

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
