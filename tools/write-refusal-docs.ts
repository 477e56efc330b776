import { writeFileSync } from 'node:fs';
import { errorRemedies } from '../contract/error-remedies.ts';
import { managementErrors } from '../contract/errors.ts';
import { jsonRpcErrors, rpcRefusals } from '../contract/rpc/refusals.ts';

type Named<Catalogue> = [keyof Catalogue, Catalogue[keyof Catalogue]];

function entriesOf<Catalogue extends object>(catalogue: Catalogue): Named<Catalogue>[] {
  return Object.entries(catalogue) as Named<Catalogue>[];
}

function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

const standard = entriesOf(jsonRpcErrors).map(([, { code, httpStatus, meaning, remedy }]) =>
  row(code, '', httpStatus, meaning, remedy),
);
const refusals = entriesOf(rpcRefusals).map(([reason, { code, httpStatus, meaning, remedy }]) =>
  row(code, `\`${reason}\``, httpStatus, meaning, remedy),
);
const errors = entriesOf(managementErrors).map(([name, { status, message }]) =>
  row(status, message, errorRemedies[name]),
);

const text = `<!-- written by \`npm run generate\` from contract/rpc/refusals.ts, contract/errors.ts and contract/error-remedies.ts -->

# Refusals

Every error of the service, what it means, and what to do about it.

## RPC endpoint

[The RPC endpoint](reference/rpc.md#refusals) explains the form of an answer.

| code | reason | HTTP | cause | remedy |
| --- | --- | --- | --- | --- |
${[...standard, ...refusals].join('\n')}

## Management API

In addition, a 400 names the field that is missing or wrong, and a 500 carries an id. The operator finds that id in the log.

| HTTP | message | remedy |
| --- | --- | --- |
${errors.join('\n')}
`;

/** Writes `docs/refusals.md`. */
writeFileSync('docs/refusals.md', text);
