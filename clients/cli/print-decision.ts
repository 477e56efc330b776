import type { DecisionItem, ExplanationItem, SettlementItem, TraceStepItem } from '@tollfree/contract/decision-fields';
import { type OperationStatus, operationStatusTexts } from '@tollfree/contract/operation-status';
import { formatEther, formatGwei } from 'viem';
import { formatTime, printForeignLine as printLine } from './terminal/print-answer.ts';

const outcomes: Readonly<Record<DecisionItem['outcome'], string>> = {
  signed: 'signed',
  quoted: 'answered with token quotes',
  stub: 'answered with a stub',
  refused: 'refused',
};

/** Statuses that are more specific than the settlement, which other signatures for the same nonce share. */
const saidByStatus: readonly OperationStatus[] = ['sent', 'dropped', 'replaced', 'expired', 'released'];

/** Prints an answer for a person: the request, each rule's result, what would change it, and the outcome. */
export function printDecision({ settlement, status, userOperationHash, ...sponsorship }: DecisionItem): void {
  printExplanation(sponsorship);
  if (sponsorship.outcome !== 'signed') return;
  printLine('');
  if (userOperationHash !== undefined) printLine(`operation    ${userOperationHash}`);
  if (status !== undefined && saidByStatus.includes(status)) {
    const { label, meaning, advice } = operationStatusTexts[status];
    printLine(`${label}: ${meaning}`);
    if (advice !== undefined) printLine(`→ ${advice}`);
    return;
  }
  printLine(settlement === undefined ? 'Nothing is held for it.' : settlementText(settlement));
  if (settlement?.txHash !== undefined) printLine(`transaction  ${settlement.txHash}`);
  if (settlement?.tokenPayment !== undefined) {
    const { token, amount } = settlement.tokenPayment;
    printLine(`user paid    ${amount} base units of ${token}`);
  }
  if (settlement?.unpaid === true)
    printLine('user paid    nothing: the tokens were gone when they were to be collected');
}

/** {@link printDecision} for an explanation. */
export function printExplanation(explanation: ExplanationItem): void {
  const { decisionId, decidedAt, method, chainId, mode, reason, message, sender, nonce, token, facts, trace } =
    explanation;
  const verdict = outcomes[explanation.outcome];
  printLine(`${mode ?? 'request'} ${verdict}${reason === undefined ? '' : `: ${reason}`}`);
  if (message !== undefined) printLine(message);
  printLine('');
  printLine(`decision     ${decisionId}`);
  printLine(`time         ${formatTime(decidedAt)}`);
  printLine(`method       ${method} on chain ${chainId}`);
  if (sender !== undefined) printLine(`sender       ${sender}${nonce === undefined ? '' : `, nonce ${nonce}`}`);
  if (token !== undefined) printLine(`fee token    ${token}`);
  for (const { target, selector } of facts?.calls ?? []) {
    printLine(`call         ${target} ${selector ?? '(plain transfer)'}`);
  }
  if (facts?.deploysOnly === true) printLine('call         none: it only deploys the account');
  if (facts !== undefined) printLine(`gas price    at most ${formatGwei(BigInt(facts.maxFeePerGas))} gwei`);
  if (facts?.account !== undefined) printLine(`account      ${facts.account.text}`);
  if (facts?.attribution !== undefined) printLine(`attribution  ${facts.attribution.join(', ')}`);
  if (facts?.gas !== undefined) printLine(`gas          ${facts.gas}`);
  if (facts?.worstCase !== undefined) printLine(`worst case   ${ether(facts.worstCase)}`);
  printLine('');
  for (const step of trace) printStep(step);
}

function printStep({ rule, verdict, checked, limit, used, remedy }: TraceStepItem): void {
  printLine(`${verdict === 'passed' ? '✓' : '✗'} ${rule}: ${checked}`);
  if (limit !== undefined) printLine(`    limit  ${limit}`);
  if (used !== undefined) printLine(`    used   ${used}`);
  if (remedy !== undefined) printLine(`    → ${remedy}`);
}

function settlementText({ state, held, charge, success }: SettlementItem): string {
  if (state === 'live') return `Not landed yet: ${ether(held)} are held for it.`;
  if (state === 'released') return 'Never landed: its hold was released.';
  const outcome = success === undefined ? '' : success ? ' with success' : ', and its own calls failed';
  return `Landed${outcome}: the tank paid ${ether(charge ?? '0')} of the ${ether(held)} held.`;
}

/** Wei in readable form. */
export function ether(wei: string): string {
  return `${formatEther(BigInt(wei))} ether`;
}
