import { counted } from '@tollfree/contract/counted';
import { usdText } from '@tollfree/contract/fields/forms';
import type { PolicyPreviewItem, PolicyRequest } from '@tollfree/contract/policy';
import type { SmartContractItem } from '@tollfree/contract/smart-contract';
import { formatEther, formatGwei, parseEther } from 'viem';
import { calledBy } from './fix-commands.ts';
import { formatTime, printHint, printForeignLine as printLine, printRows } from './terminal/print-answer.ts';

/** The policy that is previewed, and the contracts of its paymaster. */
type Previewed = { readonly policy: PolicyRequest; readonly contracts: readonly SmartContractItem[] };
type ChangedDecision = PolicyPreviewItem['cutOff'][number];

/** Prints for a person what a policy would have decided differently, and which higher amounts would refuse fewer. */
export function printPreview(preview: PolicyPreviewItem, { policy, contracts }: Previewed): void {
  const { replayed, since, unpriced, unread, cutOff, letIn, senders, rules } = preview;
  if (since === undefined) {
    printHint('There are no decisions yet that the policy could change.');
    return;
  }
  printLine(
    `Of ${counted(replayed, 'decision')} since ${formatTime(since)}, ${cutOff.length} would be refused that were signed,`,
  );
  printLine(`and ${letIn.length} would not be refused by the policy that were.`);
  const offered = cutOff.filter(({ offeredTokenPayment }) => offeredTokenPayment === true).length;
  if (offered > 0) printLine(`${offered} of the refused ones would be offered to pay in a token.`);
  // On stdout with the numbers that they qualify.
  if (unpriced > 0) printLine(`Limits in USD did not count for ${unpriced} of them, whose value is unknown.`);
  if (unread > 0)
    printLine(`Rules on arguments were not applied to ${unread} of them, whose arguments were not recorded.`);
  printTable(
    'What refuses:',
    rules.flatMap((rule) => ruleRows(rule, policy)),
  );
  printTable(
    'Refused under this policy:',
    cutOff.map((change) => changeRow(change, contracts)),
  );
  printTable(
    'No longer refused:',
    letIn.map((change) => changeRow(change, contracts)),
  );
  if (senders.length > 1)
    printTable(
      '',
      senders.map(({ sender, cutOff: count }) => ({ sender, 'cut off': `${count}` })),
    );
}

type Row = Readonly<Record<string, string>>;

function printTable(title: string, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  printLine('');
  if (title !== '') printLine(title);
  printRows(rows);
}

/** A rule with each of the higher amounts, in a row of its own. */
function ruleRows({ rule, field, cutOff, raised }: PolicyPreviewItem['rules'][number], policy: PolicyRequest): Row[] {
  const limit = limitOf(field, policy);
  const about = limit === undefined ? '' : ` (${limit.per} per ${limit.window})`;
  const first = { rule: `${field ?? rule}${about}`, 'is now': amountNow(field, policy), refuses: String(cutOff) };
  const [highest, ...others] = raised.map(({ value, cutOff: left }) => ({
    'raised to': amountText(field, value, policy),
    'would refuse': left === 0 ? 'none' : String(left),
  }));
  if (highest === undefined) return [{ ...first, 'raised to': '-', 'would refuse': '-' }];
  return [{ ...first, ...highest }, ...others.map((other) => ({ rule: '', 'is now': '', refuses: '', ...other }))];
}

function limitOf(field: string | undefined, { limits = [] }: PolicyRequest) {
  const index = /^limits\[(\d+)\]/.exec(field ?? '')?.[1];
  return index === undefined ? undefined : limits[Number(index)];
}

function amountNow(field: string | undefined, policy: PolicyRequest): string {
  if (field === undefined) return '-';
  const [name, inner] = field.split('.');
  const { maxCostPerOperation, maxFeePerGas, maxGasPerOperation } = policy;
  const amounts: Readonly<Record<string, unknown>> = {
    'maxCostPerOperation.wei': maxCostPerOperation?.wei,
    'maxCostPerOperation.usd': maxCostPerOperation?.usd,
    maxFeePerGas,
    maxGasPerOperation,
  };
  const amount = limitOf(field, policy)?.max ?? amounts[inner === undefined ? `${name}` : `${name}.${inner}`];
  return amount === undefined ? '-' : amountText(field, String(amount), policy);
}

/** An amount of the field with its unit. */
function amountText(field: string | undefined, value: string, policy: PolicyRequest): string {
  const unit = limitOf(field, policy)?.unit;
  if (unit === 'USD' || field === 'maxCostPerOperation.usd') return `${value} USD`;
  if (unit === 'WEI' || field === 'maxCostPerOperation.wei') return `${formatEther(BigInt(value))} of the coin`;
  if (unit === 'OPERATIONS') return counted(Number(value), 'operation');
  return field === 'maxFeePerGas' ? `${formatGwei(BigInt(value))} gwei` : `${value} gas`;
}

function changeRow(change: ChangedDecision, contracts: readonly SmartContractItem[]): Row {
  const { decidedAt, sender, rule, decisionId, worstCase, charge, usdMicrosPerCoin } = change;
  return {
    time: formatTime(decidedAt),
    call: callText(change, contracts),
    'worst case': costText(worstCase, usdMicrosPerCoin),
    'it cost': costText(charge, usdMicrosPerCoin),
    rule,
    sender,
    decision: decisionId,
  };
}

/** The first call by its names, as far as its contract is registered: `increment() of Counter`. */
function callText({ firstCall }: ChangedDecision, contracts: readonly SmartContractItem[]): string {
  if (firstCall === undefined) return '-';
  const { target, selector, count } = firstCall;
  const { contract, method = selector } = calledBy(firstCall, contracts);
  const more = count === 1 ? '' : ` and ${count - 1} more`;
  return `${method === undefined ? 'transfer to' : `${method} of`} ${contract?.name ?? target}${more}`;
}

const microsPerCent = 10_000n;

/** Wei in USD, at a price in millionths of a USD per coin, or in coin if there is none. */
function costText(wei: string | undefined, price: string | undefined): string {
  if (wei === undefined) return '-';
  if (price === undefined) return `${formatEther(BigInt(wei))} of the coin`;
  const micros = (BigInt(wei) * BigInt(price)) / parseEther('1');
  return `${micros < microsPerCent ? usdText(micros) : (Number(micros) / 1e6).toFixed(2)} USD`;
}
