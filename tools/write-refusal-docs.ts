import { readFileSync, writeFileSync } from 'node:fs';
import { type FixStep, fixSteps } from '../clients/cli/fix-commands.ts';
import { SponsorshipRefusedError } from '../clients/sdk/errors/errors.ts';
import { userMessage } from '../clients/sdk/errors/user-message.ts';
import { errorRemedies } from '../contract/error-remedies.ts';
import { managementErrors } from '../contract/errors.ts';
import { jsonRpcErrors } from '../contract/rpc/json-rpc-errors.ts';
import { type RpcRefusal, type RpcRefusalReason, rpcRefusals } from '../contract/rpc/refusals.ts';
import { explainAaCode, knownAaCodes } from '../core/gas/failures/aa-codes.ts';
import { aaCodeHelp } from './refusals/aa-code-help.ts';
import { refusalHelp } from './refusals/refusal-help.ts';
import { writeBetweenMarkers } from './write-between-markers.ts';

type Named<Catalogue> = [keyof Catalogue, Catalogue[keyof Catalogue]];

function entriesOf<Catalogue extends object>(catalogue: Catalogue): Named<Catalogue>[] {
  return Object.entries(catalogue) as Named<Catalogue>[];
}

function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

function table(titles: readonly string[], rows: readonly string[]): string {
  return [row(...titles), row(...titles.map(() => '---')), ...rows].join('\n');
}

const refusals = entriesOf(rpcRefusals);

/** Answers of the service, as `test/docs/refusals/provoked-refusals.test.ts` got them. */
const answers: Readonly<Partial<Record<RpcRefusalReason, object>>> = JSON.parse(
  readFileSync('tools/refusals/answers.json', 'utf8'),
);

/** The reasons of each code, with links to their entries. */
function codeTable(): string {
  const codes = [...new Set(refusals.map(([, { code }]) => code))].sort((one, other) => other - one);
  const rows = codes.map((code) => {
    const reasons = refusals.flatMap(([reason, entry]) =>
      entry.code === code ? [`[${reason}](#${reason.toLowerCase()})`] : [],
    );
    return row(`\`${code}\``, reasons.join(', '));
  });
  return table(['code', 'reasons'], rows);
}

/** What the SDK says to the user of a page. */
function sentenceFor(reason: string, more: Readonly<Record<string, string>> = {}): string {
  const error = new SponsorshipRefusedError({ code: 0, message: '', data: { reason, ...more } }, 422);
  return `“${userMessage(error)}”`;
}

/** Undefined where the user can do nothing about it, and the SDK has only its general sentence. */
function userText(reason: RpcRefusalReason): string | undefined {
  const sentence = sentenceFor(reason);
  if (sentence === sentenceFor('UNKNOWN')) return undefined;
  if (reason !== 'LIMIT_EXCEEDED') return sentence;
  return `${sentenceFor(reason, { limitKind: 'POLICY_LIMIT' })} For a cap: ${sentenceFor(reason, { limitKind: 'POLICY_CAP' })}`;
}

/** The commands of a refusal's fix in a sentence; none where something is changed by hand between them. */
function commandSentence({ fix, fixFor }: RpcRefusal): string {
  const general = fix ?? fixFor?.({});
  const steps: readonly FixStep[] = general === undefined ? [] : fixSteps(general);
  const commands = steps.flatMap((step) => ('byHand' in step ? [] : [step]));
  const [first] = commands;
  if (first === undefined || commands.length < steps.length) return '';
  const names = commands.map(({ command }) => `\`${command}\``).join(', then ');
  return first.isForOperator === true ? ` The operator runs ${names}.` : ` Run ${names}.`;
}

function refusalEntry([reason, refusal]: (typeof refusals)[number]): string {
  const { code, httpStatus, meaning } = refusal;
  const { causes, app, owner } = refusalHelp[reason];
  const why = table(
    ['what you see', 'why'],
    causes.map((cause) => row(...cause)),
  );
  const sentence = userText(reason);
  const answer = answers[reason];
  return [
    `### ${reason}`,
    `\`${code}\`, HTTP ${httpStatus} · ${meaning}`,
    ...(answer === undefined ? [] : [`\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``]),
    ...(causes.length === 0 ? [] : [why]),
    `**App developer.** ${app}`,
    `**Owner or operator.** ${owner}${commandSentence(refusal)}`,
    ...(sentence === undefined ? [] : [`**Tell the user.** ${sentence}`]),
  ].join('\n\n');
}

function aaEntry(code: string): string {
  const { field, advice, shortLimit } = explainAaCode(code, '0.8');
  const limit =
    shortLimit === undefined || advice.includes(shortLimit) ? '' : ` It may also be short of \`${shortLimit}\`.`;
  const help = aaCodeHelp[code];
  return [`### ${code}`, `\`${field}\` · ${advice}${limit}`, ...(help === undefined ? [] : [help])].join('\n\n');
}

const standard = entriesOf(jsonRpcErrors).map(([, { code, httpStatus, meaning, remedy }]) =>
  row(`\`${code}\``, httpStatus, meaning, remedy),
);

const text = `<!-- written by \`npm run generate\` from contract/rpc/refusals.ts, core/gas/failures/aa-codes.ts and tools/refusals -->
<!-- search: error errors code codes troubleshooting debug refused failed why reason revert AA codes gets rejected denied user message ${knownAaCodes.join(' ')} -->

# Refusals

A refusal signs nothing and holds no money. Look it up by its reason (\`error.data.reason\`), its code, or its AA code
(\`error.data.aaCode\`). The owner sees the rule that refused with \`tollfree why <decisionId>\`.
[The RPC endpoint](reference/rpc.md#refusals) has the fields of an answer, the [management API](reference/management.md#errors) its own errors.

${codeTable()}

*Tell the user* has the sentence of the SDK's \`userMessage\` for the user of a page. Without it, the user can do nothing.

## Reasons

${refusals.map(refusalEntry).join('\n\n')}

## Errors of JSON-RPC

${table(['code', 'HTTP', 'cause', 'remedy'], standard)}

## AA codes

The EntryPoint's codes. Before a signature they come as [ESTIMATION_FAILED](#estimation_failed) (\`-32016\`) and name the field to check. From a bundler
they come as \`-32500\` (account), \`-32501\` (paymaster) or \`-32507\` (a signature).

${knownAaCodes.map(aaEntry).join('\n\n')}
`;

writeFileSync('docs/refusals.md', text);

/** The errors by status: those with one remedy together. */
function errorLists(): string {
  const errors = entriesOf(managementErrors);
  const statuses = [...new Set(errors.map(([, { status }]) => status))].sort((one, other) => one - other);
  const lists = statuses.map((status) => {
    const messages = new Map<string, string[]>();
    for (const [name, error] of errors) {
      if (error.status !== status) continue;
      const remedy = errorRemedies[name];
      messages.set(remedy, [...(messages.get(remedy) ?? []), error.message.replace(/\.$/, '')]);
    }
    const lines = [...messages].map(([remedy, list]) => `- **${list.join(', ')}:** ${remedy}`);
    return [`### ${status}`, '', ...lines, ''].join('\n');
  });
  return lists.join('\n');
}

writeBetweenMarkers(
  'docs/reference/management.md',
  'errors',
  'contract/errors.ts and contract/error-remedies.ts',
  errorLists(),
);
