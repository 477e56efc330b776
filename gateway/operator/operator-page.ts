import type { OperatorChain, OperatorSigner, OperatorStatus } from '@tollfree/contract/operator';

/** The HTML cells of a row, by column title. */
type Row = Readonly<Record<string, string>>;

/** The page of `/` on the admin listener: problems first, then everything else. It needs no script. */
export function operatorPage(status: OperatorStatus): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${status.ready ? 'Ready' : 'Not ready'} · Tollfree, for its operator</title>
<link rel="stylesheet" href="operator.css">
</head>
<body>
<main>
<h1>Tollfree is ${status.ready ? '<span class="good">ready</span>' : '<span class="bad">not ready</span>'}</h1>
<p><a href="./">Read again</a> · <a href="status.json">as JSON</a> · <a href="metrics">metrics</a></p>
${problemList(status)}
<h2>Parts</h2>
${table('Parts', status.parts.map(toPartRow))}
${status.chains.map(chainSection).join('\n')}
<h2>Programs</h2>
${table('Programs', status.builds.map(toBuildRow))}
<h2>Other parts</h2>
${table('Service', [
  {
    Database: bytes(status.database.bytes),
    'Free on its disk': bytes(status.database.freeBytes),
    'Notifications to deliver': number(status.notificationsPending),
    'Sign-up': status.signUp ?? 'off',
  },
])}
</main>
</body>
</html>
`;
}

/** Longer times are only shown as more than this. */
const longDays = 3_650;

function problemList({ problems }: OperatorStatus): string {
  if (problems.length === 0) return '<p class="good">Nothing is wrong.</p>';
  const items = problems.map(
    ({ what, remedy }) => `<li><strong>${escapeHtml(what)}</strong><br>${escapeHtml(remedy)}</li>`,
  );
  return `<h2>What is wrong</h2><ul class="problems">${items.join('')}</ul>`;
}

function toPartRow({ part, ready, detail, optional }: OperatorStatus['parts'][number]): Row {
  const state = ready ? '<span class="good">ready</span>' : '<span class="bad">not ready</span>';
  return {
    Part: escapeHtml(part),
    State: optional && !ready ? `${state}, everything else works` : state,
    Detail: escapeHtml(detail),
  };
}

function toBuildRow({ process, version, commit, schema, node }: OperatorStatus['builds'][number]): Row {
  return {
    Process: escapeHtml(process),
    Version: escapeHtml(version),
    Commit: `<code>${escapeHtml(commit.slice(0, 12))}</code>`,
    Schema: escapeHtml(schema),
    'Node.js': escapeHtml(node),
  };
}

function chainSection({ chainId, name, coinUsd, contracts, signers, nodes, bundler, tanks }: OperatorChain): string {
  const askedRows = [
    ...nodes.map(({ node, ...asked }) => ({ name: `node ${node}`, ...asked })),
    ...(bundler === undefined ? [] : [{ name: 'bundler', ...bundler }]),
  ].map(({ name: who, answered, failed, averageMs }) => ({
    Asked: escapeHtml(who),
    Answered: number(answered),
    Failed: number(failed),
    'On average': averageMs === undefined ? 'unknown' : `${averageMs} ms`,
  }));
  const contractRows = contracts.map((contract) => ({
    Version: escapeHtml(contract.version),
    Contract: `<code>${escapeHtml(contract.address)}</code><br>${escapeHtml(contract.family)}`,
    EntryPoint: escapeHtml(contract.entryPointVersion),
    Deposit: coin(contract.depositWei),
    Held: coin(contract.heldWei),
    'Ledger difference': contract.differenceWei === undefined ? 'unknown' : `${escapeHtml(contract.differenceWei)} wei`,
    'Ledger up to block': escapeHtml(contract.atBlock ?? 'unknown'),
    'Tanks in use': number(contract.tanksInUse),
    'Tanks low': number(contract.tanksLow),
  }));
  const tankRows = tanks.map(({ contract, wallet, availableWei, daysLeft }) => ({
    'Funding wallet': `<code>${escapeHtml(wallet)}</code>`,
    Contract: `<code>${escapeHtml(contract)}</code>`,
    Available: coin(BigInt(Math.trunc(availableWei)).toString()),
    'Days left': daysLeft !== undefined && daysLeft > longDays ? 'over 10 years' : number(daysLeft),
  }));
  const title = `${escapeHtml(name)} (${chainId})`;
  const price = coinUsd === undefined ? 'The price sources do not agree.' : `Price of the coin: ${coinUsd} USD.`;
  return `<h2>${title}</h2><p>${price}</p>
<h3>Paymaster contracts</h3>${table(`Paymaster contracts of ${title}`, contractRows)}
<h3>Signing keys</h3>${table(`Signing keys of ${title}`, signers.map(toSignerRow))}
<h3>Nodes and bundler</h3>${table(`Nodes and bundler of ${title}`, askedRows)}
<h3>Gas tanks that run out first</h3>${table(`Gas tanks of ${title}`, tankRows)}`;
}

const signerStates: Readonly<Record<string, string>> = {
  signs: '<span class="good">signs</span>',
  'not-trusted': '<span class="bad">the contract does not accept it</span>',
  'stands-by': 'standby, behind the signing key',
  'not-asked': 'the contract has not been read yet',
};

function toSignerRow({ contract, signer, state, places, since, until, openUntil }: OperatorSigner): Row {
  const former =
    openUntil === undefined ? 'former, can be removed from the contract' : `former, open until ${time(openUntil)}`;
  return {
    Key: `<code>${escapeHtml(signer)}</code>`,
    Contract: `<code>${escapeHtml(contract)}</code>`,
    State: signerStates[state] ?? former,
    Location: places.map(toPlace).join('<br>') || 'no longer configured',
    Signed: since === undefined ? 'never' : `since ${time(since)}${until === undefined ? '' : ` until ${time(until)}`}`,
  };
}

function toPlace({ kind, awaySince }: OperatorSigner['places'][number]): string {
  const where = escapeHtml(places[kind] ?? kind);
  return awaySince === undefined ? where : `${where} <span class="bad">has not signed since ${time(awaySince)}</span>`;
}

const places: Readonly<Record<string, string>> = {
  keystore: 'keystore of this service',
  raw: 'plain key of this service',
  'eth-sign': 'eth_sign of another service',
  'aws-kms': 'AWS KMS',
  'google-kms': 'Google Cloud KMS',
};

function time(moment: number): string {
  return new Date(moment * 1_000).toISOString().replace('.000Z', 'Z');
}

function table(name: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '<p>None yet.</p>';
  const titles = Object.keys(rows[0] ?? {});
  const head = titles.map((title) => `<th role="columnheader" scope="col">${title}</th>`).join('');
  const body = rows.map((row) => {
    const cells = titles.map((title) => `<td role="cell" data-title="${title}">${row[title] ?? ''}</td>`).join('');
    return `<tr role="row">${cells}</tr>`;
  });
  // The roles keep it a table for screen readers when narrow screens change its display.
  return `<table role="table" aria-label="${name}"><thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">${body.join('\n')}</tbody></table>`;
}

function number(value: number | undefined): string {
  return value === undefined ? 'unknown' : String(Math.floor(value * 10) / 10);
}

/** Wei in units of the chain's coin, cut to six decimals. */
function coin(wei: string | undefined): string {
  if (wei === undefined) return 'unknown';
  const value = BigInt(wei);
  const digits = (value < 0n ? -value : value).toString().padStart(19, '0');
  return `${value < 0n ? '−' : ''}${digits.slice(0, -18)}.${digits.slice(-18, -12)}`;
}

function bytes(value: number | undefined): string {
  return value === undefined ? 'unknown' : `${Math.ceil(value / 1_048_576)} MiB`;
}

/** The style of the operator's page, light and dark. */
export const operatorStyle = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; background: light-dark(#f6f7f7, #121617); color: light-dark(#17201f, #e6ecec) }
a { color: light-dark(#0b6b5d, #5cc9b5) }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem } h3 { font-size: 1rem }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere }
.good { color: light-dark(#1b6b35, #7ed398); font-weight: 600 } .bad { color: light-dark(#a8231d, #ff9d94); font-weight: 600 }
.problems li { margin-bottom: .6rem; padding: .6rem .8rem; border-left: 4px solid light-dark(#b3261e, #ffb3ab); background: light-dark(#fbe9e7, #3a1b19) }
ul { padding: 0; list-style: none }
table { width: 100%; border-collapse: collapse }
th, td { padding: .35rem .6rem .35rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid light-dark(#d5dcda, #313b3d) }
@media (max-width: 45rem) {
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
  tr, td { display: block } td { border: 0; padding: .1rem 0 }
  tr { border-bottom: 1px solid light-dark(#d5dcda, #313b3d); padding: .5rem 0 }
  td::before { content: attr(data-title) ": "; font-weight: 600 }
}
`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text escaped for HTML, between tags or in double quotes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
