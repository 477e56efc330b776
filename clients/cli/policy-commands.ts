import { maxPreview } from '@tollfree/contract/limits';
import type { PolicyPreviewItem } from '@tollfree/contract/policy';
import { readPolicyFile, setNamedPolicy } from './named-policy-commands.ts';
import { openPaymaster } from './open-management.ts';
import { countFlag, type Flags, textFlag } from './terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows } from './terminal/print-answer.ts';

/** `tollfree policy show`: its output is valid input for `policy set`. */
export async function showPolicy(flags: Flags): Promise<void> {
  const policyId = textFlag(flags, 'policy');
  const { client } = openPaymaster(flags);
  const policy =
    policyId === undefined ? await client.readPolicy() : (await client.readNamedPolicy({ policyId })).policy;
  printAnswer(flags, policy, () => printLine(JSON.stringify(policy, null, 2)));
}

export async function setPolicy(file: string, flags: Flags): Promise<void> {
  const policyId = textFlag(flags, 'policy');
  if (policyId !== undefined) return setNamedPolicy(policyId, file, flags);
  const proposed = readPolicyFile(file);
  const { client } = openPaymaster(flags);
  const policy = await client.setPolicy({ policy: proposed });
  printAnswer(flags, policy, () => printLine(`Replaced the policy with ${file}, effective from the next request.`));
}

export async function previewPolicy(file: string, flags: Flags): Promise<void> {
  const last = countFlag(flags, 'last', maxPreview);
  const policy = readPolicyFile(file);
  const { client } = openPaymaster(flags);
  const preview = await client.previewPolicy({ policy, last, policyId: textFlag(flags, 'policy') });
  printAnswer(flags, preview, () => printPreview(preview));
}

function printPreview({ replayed, since, unpriced, unread, cutOff, letIn, senders }: PolicyPreviewItem): void {
  if (since === undefined) {
    printHint('There are no decisions yet that the policy could change.');
    return;
  }
  printLine(`Of ${replayed} decisions since ${formatTime(since)}, ${cutOff.length} would be refused that were signed,`);
  printLine(`and ${letIn.length} would not be refused by the policy that were.`);
  const offered = cutOff.filter(({ offeredTokenPayment }) => offeredTokenPayment === true).length;
  if (offered > 0) printLine(`${offered} of the refused ones would be offered to pay in a token.`);
  if (unpriced > 0) printHint(`Limits in USD did not count for ${unpriced} of them, whose value is unknown.`);
  if (unread > 0)
    printHint(`Rules on arguments were not applied to ${unread} of them, whose arguments were not recorded.`);
  printChanges('Refused under this policy:', cutOff);
  printChanges('No longer refused:', letIn);
  if (senders.length > 1) {
    printLine('');
    printRows(senders.map(({ sender, cutOff: count }) => ({ sender, 'cut off': String(count) })));
  }
}

function printChanges(title: string, changes: PolicyPreviewItem['cutOff']): void {
  if (changes.length === 0) return;
  printLine('');
  printLine(title);
  printRows(
    changes.map(({ decidedAt, sender, rule, decisionId }) => ({
      time: formatTime(decidedAt),
      sender,
      rule,
      decision: decisionId,
    })),
  );
}
