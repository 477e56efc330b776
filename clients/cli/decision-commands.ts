import {
  type DecisionItem,
  DecisionOutcomeSchema,
  decisionModes,
  type ExplanationItem,
  type SettlementItem,
  type TraceStepItem,
} from '@tollfree/contract/decision-fields';
import { maxPageSize } from '@tollfree/contract/limits';
import { type OperationStatus, operationStatuses, operationStatusTexts } from '@tollfree/contract/operation-status';
import { type ExplainSponsorshipRequest, ExplainSponsorshipRequestSchema } from '@tollfree/contract/sponsorship';
import { usageDimensions } from '@tollfree/contract/usage';
import type { ManagementClient } from '@tollfree/sdk/management';
import { formatEther, formatGwei } from 'viem';
import { fixSteps, type KnownForFix, refusingStep, stepText } from './fix-commands.ts';
import { groupRefusals } from './group-refusals.ts';
import { openPaymaster } from './open-management.ts';
import { readKnownForFix } from './read-known-for-fix.ts';
import { mistake } from './terminal/cli-error.ts';
import { countFlag, type Flags, textFlag, timeFlag } from './terminal/flags.ts';
import {
  formatTime,
  printAnswer,
  printHint,
  printForeignLine as printLine,
  printRows,
} from './terminal/print-answer.ts';
import { readJsonFile } from './terminal/read-file.ts';

const columns = {
  time: ({ decidedAt }) => new Date(decidedAt * 1_000).toISOString(),
  decision: ({ decisionId }) => decisionId,
  outcome: ({ outcome }) => outcome,
  reason: ({ reason }) => reason,
  mode: ({ mode }) => mode,
  payer: ({ settlement }) => settlement?.payer,
  sender: ({ sender }) => sender,
  nonce: ({ nonce }) => nonce,
  status: ({ status }) => status,
  'held in wei': ({ settlement }) => settlement?.held,
  'charge in wei': ({ settlement }) => settlement?.charge,
  transaction: ({ settlement }) => settlement?.txHash,
  operation: ({ userOperationHash }) => userOperationHash,
} as const satisfies Record<string, (decision: DecisionItem) => string | undefined>;

/** Decisions as CSV (RFC 4180), amounts in wei. Ids, names of lists, addresses and digits need no quotes. */
function decisionsCsv(decisions: readonly DecisionItem[]): string {
  const rows = decisions.map((decision) => Object.values(columns).map((cell) => cell(decision) ?? ''));
  return [Object.keys(columns), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

export async function explainRequest(file: string, flags: Flags): Promise<void> {
  const request = readExplainFile(file);
  const askWebhooks = flags.askWebhooks === true || request.askWebhooks;
  const { client, apiKey } = await openPaymaster(flags);
  const explanation = await client.explainSponsorship({ ...request, askWebhooks });
  const known = await readKnownForFix(client, apiKey, flags, [explanation]);
  printAnswer(flags, explanation, () => printExplanation(explanation, known));
}

export async function listDecisions(flags: Flags): Promise<void> {
  const filter = {
    cursor: textFlag(flags, 'cursor'),
    limit: countFlag(flags, 'limit', maxPageSize),
    outcome: choiceFlag(flags, 'outcome', DecisionOutcomeSchema.options),
    reason: textFlag(flags, 'refusal'),
    sender: textFlag(flags, 'sender'),
    mode: choiceFlag(flags, 'mode', decisionModes),
    status: choiceFlag(flags, 'status', operationStatuses),
    txHash: textFlag(flags, 'tx'),
    from: timeFlag(flags, 'from'),
    until: timeFlag(flags, 'until'),
  };
  const { client, apiKey } = await openPaymaster(flags);
  if (flags.group === true) return showGroups({ client, apiKey }, filter, flags);
  const page = await client.listDecisions(filter);
  if (flags.csv === true) {
    process.stdout.write(decisionsCsv(page.decisions));
    if (page.nextCursor !== undefined) printHint(`There are older ones: --cursor ${page.nextCursor}`);
    return;
  }
  printAnswer(flags, page, () => {
    if (page.decisions.length > 0) printRows(page.decisions.map(decisionRow));
    else printHint(page.nextCursor === undefined ? 'Nothing to show.' : 'Nothing among the newest ones.');
    if (page.nextCursor !== undefined) printHint(`There are older ones: --cursor ${page.nextCursor}`);
  });
}

/** Most decisions that are grouped: a page five times. */
const maxGrouped = 5 * maxPageSize;

/** `tollfree decisions --group`: what was refused, each cause once. */
async function showGroups(
  { client, apiKey }: { readonly client: ManagementClient; readonly apiKey: string },
  filter: Parameters<ManagementClient['listDecisions']>[0],
  flags: Flags,
): Promise<void> {
  if (filter?.outcome !== 'refused') throw mistake('--group needs --outcome refused.');
  const decisions: DecisionItem[] = [];
  let cursor = filter.cursor;
  do {
    const page = await client.listDecisions({ ...filter, cursor, limit: maxPageSize });
    decisions.push(...page.decisions);
    cursor = page.nextCursor;
  } while (cursor !== undefined && decisions.length < maxGrouped);
  const groups = groupRefusals(decisions, await readKnownForFix(client, apiKey, flags, decisions));
  printAnswer(flags, { groups, nextCursor: cursor }, () => {
    if (groups.length === 0) printHint('Nothing was refused.');
    for (const { count, reason, message, contract, method, steps = [], decisionId } of groups) {
      printLine(`${count} × ${reason}: ${message}`);
      if (contract !== undefined) printLine(`    contract  ${contract}`);
      if (method !== undefined) printLine(`    method    ${method}`);
      printLine(`    newest    tollfree why ${decisionId}`);
      for (const step of steps) printLine(`    → ${stepText(step)}`);
    }
    if (cursor !== undefined) printHint(`There are older ones: --cursor ${cursor}`);
  });
}

function decisionRow({ decisionId, decidedAt, outcome, reason, mode, sender, settlement, status }: DecisionItem) {
  return {
    time: formatTime(decidedAt),
    outcome: reason === undefined ? outcome : `${outcome} ${reason}`,
    mode: mode ?? '-',
    sender: sender ?? '-',
    status: status ?? settlement?.state ?? '-',
    cost: settlement?.charge === undefined ? '-' : ether(settlement.charge),
    decision: decisionId,
  };
}

export async function showUsage(flags: Flags): Promise<void> {
  const by = choiceFlag(flags, 'by', usageDimensions) ?? 'day';
  const days = { from: textFlag(flags, 'from'), until: textFlag(flags, 'until') };
  const rows = await (await openPaymaster(flags)).client.getUsage({ by, ...days });
  printAnswer(flags, rows, () => {
    if (rows.length === 0) return printHint('There were no requests on these days.');
    printRows(
      rows.map(
        ({
          key,
          decisions: { signed, quoted, stub, refused },
          landed,
          charge,
          chargeUsd,
          unpriced,
          held,
          ...total
        }) => ({
          [by === 'cost' ? 'usd each, at most' : by]: key,
          cost: ether(charge),
          usd: `${unpriced > 0 ? 'at least ' : ''}${chargeUsd}`,
          held: ether(held),
          landed: String(landed),
          signed: String(signed),
          quoted: String(quoted),
          stub: String(stub),
          refused: String(refused),
          ...(total.users === undefined ? {} : { users: String(total.users) }),
          ...(total.costOf95PercentUsd === undefined ? {} : { 'usd of 95%, at most': total.costOf95PercentUsd }),
        }),
      ),
    );
    if (rows.some(({ unpriced }) => unpriced > 0)) {
      printHint('Operations recorded without a known price are left out of the USD amounts.');
    }
    if (['contract', 'method', 'relayedMethod', 'attribution'].includes(by)) {
      printHint('An operation counts in every row it belongs to, so the rows do not add up to the total.');
    }
  });
}

function choiceFlag<const Choice extends string>(
  flags: Flags,
  option: string,
  choices: readonly Choice[],
): Choice | undefined {
  const given = textFlag(flags, option);
  const choice = choices.find((one) => one === given);
  if (given !== undefined && choice === undefined) throw mistake(`--${option} must be one of ${choices.join(', ')}.`);
  return choice;
}

/**
 * The request in a JSON file: a JSON-RPC request for the RPC endpoint, or only its `params`. The service checks the params.
 */
function readExplainFile(file: string): ExplainSponsorshipRequest {
  const content = readJsonFile(file, 'The request file');
  const request = ExplainSponsorshipRequestSchema.safeParse(requestIn(content));
  if (!request.success) {
    throw mistake(`The request file ${file} is not valid: ${request.error.issues[0]?.message ?? 'it has no params'}.`);
  }
  // The service checks the params by the method's own schema and names the first invalid field.
  return request.data as ExplainSponsorshipRequest;
}

/** What a file asks for, without the envelope of JSON-RPC. */
function requestIn(content: unknown): unknown {
  if (Array.isArray(content)) return { params: content };
  if (typeof content !== 'object' || content === null) return content;
  const { jsonrpc: _, id: __, ...request } = content as Readonly<Record<string, unknown>>;
  return request;
}

const outcomes: Readonly<Record<DecisionItem['outcome'], string>> = {
  signed: 'signed',
  quoted: 'answered with token quotes',
  stub: 'answered with a stub',
  refused: 'refused',
};

/** Statuses that are more specific than the settlement, which other signatures for the same nonce share. */
const saidByStatus: readonly OperationStatus[] = ['sent', 'dropped', 'replaced', 'expired', 'released'];

/** Prints an answer for a person: the request, each rule's result, what would change it, and the outcome. */
export function printDecision(
  { settlement, status, userOperationHash, ...sponsorship }: DecisionItem,
  known: KnownForFix,
): void {
  printExplanation(sponsorship, known);
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

function printExplanation(explanation: ExplanationItem, known: KnownForFix): void {
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
  const refusing = refusingStep(explanation);
  for (const step of trace) {
    printStep(step);
    if (step !== refusing) continue;
    if (step.remedy !== undefined) printLine(`    → ${step.remedy}`);
    const steps = step.fix === undefined ? [] : fixSteps(step.fix, explanation, known);
    for (const each of steps) printLine(`    → ${stepText(each)}`);
  }
}

function printStep({ rule, verdict, checked, limit, used }: TraceStepItem): void {
  printLine(`${verdict === 'passed' ? '✓' : '✗'} ${rule}: ${checked}`);
  if (limit !== undefined) printLine(`    limit  ${limit}`);
  if (used !== undefined) printLine(`    used   ${used}`);
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
