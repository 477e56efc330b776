import { type DecisionItem, DecisionOutcomeSchema, decisionModes } from '@tollfree/contract/decision-fields';
import { maxPageSize } from '@tollfree/contract/limits';
import { operationStatuses } from '@tollfree/contract/operation-status';
import { type ExplainSponsorshipRequest, ExplainSponsorshipRequestSchema } from '@tollfree/contract/sponsorship';
import { usageDimensions } from '@tollfree/contract/usage';
import { openPaymaster } from './open-management.ts';
import { ether, printExplanation } from './print-decision.ts';
import { mistake } from './terminal/cli-error.ts';
import { countFlag, type Flags, textFlag, timeFlag } from './terminal/flags.ts';
import { formatTime, printAnswer, printHint, printRows } from './terminal/print-answer.ts';
import { readNamedFile } from './terminal/read-file.ts';

const columns = {
  time: ({ decidedAt }) => new Date(decidedAt * 1_000).toISOString(),
  decision: ({ decisionId }) => decisionId,
  outcome: ({ outcome }) => outcome,
  reason: ({ reason }) => reason,
  mode: ({ mode }) => mode,
  way: ({ settlement }) => settlement?.way,
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
  const { client } = openPaymaster(flags);
  const explanation = await client.explainSponsorship({ ...request, askWebhooks });
  printAnswer(flags, explanation, () => printExplanation(explanation));
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
  const { client } = openPaymaster(flags);
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
  const { client } = openPaymaster(flags);
  const rows = await client.getUsage({ by, ...days });
  printAnswer(flags, rows, () => {
    if (rows.length === 0) return printHint('There were no requests on these days.');
    printRows(
      rows.map(({ key, decisions: { signed, quoted, stub, refused }, landed, charge, chargeUsd, unpriced, held }) => ({
        [by]: key,
        cost: ether(charge),
        usd: `${unpriced > 0 ? 'at least ' : ''}${chargeUsd}`,
        held: ether(held),
        landed: String(landed),
        signed: String(signed),
        quoted: String(quoted),
        stub: String(stub),
        refused: String(refused),
      })),
    );
    if (rows.some(({ unpriced }) => unpriced > 0)) {
      printHint('Operations recorded without a known price are left out of the USD amounts.');
    }
    if (by === 'contract' || by === 'method' || by === 'attribution') {
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
  const text = readNamedFile(file, 'The request file');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw mistake(`The request file ${file} is not JSON.`, error);
  }
  const request = ExplainSponsorshipRequestSchema.safeParse(Array.isArray(content) ? { params: content } : content);
  if (!request.success) {
    throw mistake(`The request file ${file} is not valid: ${request.error.issues[0]?.message ?? 'it has no params'}.`);
  }
  // The service checks the params by the method's own schema and names the first invalid field.
  return request.data as ExplainSponsorshipRequest;
}
