import { operationStatusTexts } from '@tollfree/contract/operation-status';
import type { OperationLifeItem } from '@tollfree/contract/user-operation';
import { ether } from './print-decision.ts';
import { printForeignLine as printLine } from './terminal/print-foreign-line.ts';
import { formatTime } from './terminal/print-rows.ts';

/** Prints what became of an operation for a person: what happened, what to do, and each step with its time. */
export function printOperation(operation: OperationLifeItem): void {
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
  if (tokenPayment !== undefined) {
    printLine(`user paid    ${tokenPayment.amount} base units of ${tokenPayment.token}`);
  }
  if (unpaid === true) printLine('user paid    nothing: the tokens were gone when they were to be collected');
}
