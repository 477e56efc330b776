import { operationStatusTexts } from '@tollfree/contract/operation-status';
import type { OperationLifeItem } from '@tollfree/contract/user-operation';
import { TollfreeApiError } from '@tollfree/sdk';
import type { ManagementClient } from '@tollfree/sdk/management';
import { ether, printDecision } from './decision-commands.ts';
import { openManagement, openPaymaster } from './open-management.ts';
import { readKnownForFix } from './read-known-for-fix.ts';
import { mistake } from './terminal/cli-error.ts';
import { type Flags, textFlag } from './terminal/flags.ts';
import { formatTime, printAnswer, printHint, printForeignLine as printLine } from './terminal/print-answer.ts';
import { withProgress } from './terminal/with-progress.ts';

const hashForm = /^0x[0-9a-fA-F]{64}$/;

/** Most operations of one transaction that are explained. */
const maxOperations = 20;

/** `tollfree why`: for the given paymaster, else for any paymaster of the account. */
export async function explainWhy(what: string, flags: Flags): Promise<void> {
  if (what.startsWith('0x') && !hashForm.test(what))
    throw mistake(`${what} is not a hash: that is 0x and 64 hex digits.`);
  const isNamed = textFlag(flags, 'paymaster') !== undefined;
  const { client, apiKey } = isNamed ? await openPaymaster(flags) : openManagement(flags);
  const search = <T>(read: Read<T>) =>
    withProgress("Looking through the account's paymasters", () => findFirst(client, apiKey, read));
  if (!hashForm.test(what)) {
    const found = await search(async (key) => {
      const decision = await client.getDecision({ decisionId: what, apiKey: key });
      return { decision, known: await readKnownForFix(client, key, flags, [decision]) };
    });
    if (found === undefined) throw mistake(`No paymaster of this account has the decision ${what}.`);
    const { decision, known } = found;
    return printAnswer(flags, decision, () => printDecision(decision, known));
  }
  const operation = await search((key) => client.getOperation({ userOperationHash: what, apiKey: key }));
  if (operation !== undefined) return printAnswer(flags, operation, () => printOperation(operation));
  const landed = await search((key) => readLanded(client, key, what));
  if (landed === undefined) {
    throw mistake(
      `No paymaster of this account signed an operation with the hash ${what}, or has one in a transaction with this hash. ` +
        'A transaction is known once its block is confirmed.',
    );
  }
  printAnswer(flags, landed, () => printAll(landed));
}

type Read<T> = (apiKey: string) => Promise<T | undefined>;

/** The first result of the paymasters, the given one first. */
async function findFirst<T>(
  client: ManagementClient,
  named: string | undefined,
  read: Read<T>,
): Promise<T | undefined> {
  const first = named === undefined ? undefined : await ifThere(read(named));
  if (first !== undefined) return first;
  for (const { apiKey } of await client.listPaymasters()) {
    const found = apiKey === named ? undefined : await ifThere(read(apiKey));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function ifThere<T>(reading: Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof TollfreeApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** The paymaster's operations in a transaction; undefined when it has none. */
async function readLanded(
  client: ManagementClient,
  apiKey: string,
  txHash: string,
): Promise<readonly OperationLifeItem[] | undefined> {
  const { decisions } = await client.listDecisions({ apiKey, txHash });
  const hashes = new Set(
    decisions.flatMap(({ userOperationHash, settlement }) =>
      userOperationHash !== undefined && settlement?.txHash === txHash.toLowerCase() ? [userOperationHash] : [],
    ),
  );
  const operations: OperationLifeItem[] = [];
  for (const userOperationHash of [...hashes].slice(0, maxOperations)) {
    const operation = await client.getOperation({ apiKey, userOperationHash });
    if (operation.txHash === txHash.toLowerCase()) operations.push(operation);
  }
  return operations.length === 0 ? undefined : operations;
}

function printAll(operations: readonly OperationLifeItem[]): void {
  for (const [index, operation] of operations.entries()) {
    if (index > 0) printLine('');
    printOperation(operation);
  }
  if (operations.length === maxOperations)
    printHint(`Only ${maxOperations} operations of a transaction are explained.`);
}

/** Prints an operation's life for a person: what happened, what to do, and each step with its time. */
function printOperation(operation: OperationLifeItem): void {
  const { status, userOperationHash, chainId, contract, sender, nonce, steps, validUntil } = operation;
  const { label, meaning, advice } = operationStatusTexts[status];
  printLine(`${label}: ${meaning}`);
  if (advice !== undefined) printLine(`→ ${advice}`);
  printLine('');
  printLine(`operation    ${userOperationHash}`);
  printLine(`sender       ${sender}, nonce ${nonce}`);
  printLine(`paymaster    ${contract} on chain ${chainId}`);
  if (operation.revertReason !== undefined) printLine(`reverted     ${operation.revertReason}`);
  if (operation.replacedBy !== undefined) printLine(`replaced by  ${operation.replacedBy}`);
  printMoney(operation);
  if (operation.txHash !== undefined) {
    const { txHash, blockNumber } = operation;
    printLine(`transaction  ${txHash}${blockNumber === undefined ? '' : ` in block ${blockNumber}`}`);
  }
  printLine('');
  for (const step of steps) printLine(`${formatTime(step.at)}  ${operationStatusTexts[step.status].label}`);
  const isOpen = status === 'signed' || status === 'sent';
  if (isOpen && validUntil !== undefined) printLine(`${formatTime(validUntil)}  its signature ends`);
  for (const decisionId of operation.decisionIds) printLine(`decision     ${decisionId}`);
}

function printMoney({ held, charge, tokenPayment, unpaid }: OperationLifeItem): void {
  if (charge === undefined) printLine(`at most      ${ether(held)}`);
  else printLine(`cost         ${ether(charge)} of the ${ether(held)} held`);
  if (tokenPayment !== undefined) printLine(`user paid    ${tokenPayment.amount} base units of ${tokenPayment.token}`);
  if (unpaid === true) printLine('user paid    nothing: the tokens were gone when they were to be collected');
}
