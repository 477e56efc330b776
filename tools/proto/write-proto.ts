import { writeFileSync } from 'node:fs';
import { operationList } from '@tollfree/contract/operations';
import { z } from 'zod';
import type { FieldShape } from '../../core/grpc/codec/message-shape.ts';
import { scalars } from '../../core/grpc/codec/scalars.ts';
import { root } from '../prose/find-markdown-files.ts';
import { protoName, readFieldNumbers, writeFieldNumbers } from './field-numbers.ts';
import { type ProtoMessage, type ProtoMethod, protoMessages, typeOf } from './proto-messages.ts';
import { readComments } from './read-comments.ts';

// Writes `proto/tollfree/core/v1` from the schemas of the domain, with the numbers of `proto/field-numbers.json`.

const folder = 'tollfree/core/v1';
const serviceFile = 'core_service';
const serviceComment = [
  'All the service can do. Anyone who can reach it is trusted: it listens on loopback, on a unix socket, or behind mutual TLS, and a caller names the account it acts for.',
  '',
  'Rules of the wire:',
  '- A call that was answered ends with status OK, also when the answer is a refusal: read `result`. Any other status is a broken transport (UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED) or a bug (INTERNAL, with an id to look for in the log and nothing else).',
  '- Amounts and gas are decimal strings: they have up to 256 bits.',
  '- JSON of callers travels as JSON text.',
  '- Times are Unix seconds, durations seconds, addresses and bytes `0x` hex.',
  '- `optional` means that absent is not the same as empty.',
  '- Send a deadline. A call without one gets the server’s default, and no call gets more than the server’s maximum.',
];

const comments = readComments(root);
const { methods, messages } = protoMessages();
const numbers = readFieldNumbers(messages.values());
writeFieldNumbers(numbers);
for (const [file, fields] of Object.entries(numbers.files)) {
  const here = Object.keys(fields);
  const parts = here.flatMap((name) => [messageText(name, fields[name] ?? {}), responseText(name)]);
  write(
    file,
    parts.filter((part) => part !== ''),
    importsOf(here, file),
  );
}
write(serviceFile, [serviceText(methods)], importsOf(methods.map(({ rpc }) => `${rpc}Request`)));

function write(file: string, parts: readonly string[], imports: readonly string[]): void {
  const head =
    '// Written by `npm run generate` from the schemas of core/domain and the numbers of proto/field-numbers.json.\n';
  const text = [
    `${head}syntax = "proto3";\n`,
    'package tollfree.core.v1;\n',
    ...(imports.length === 0 ? [] : [imports.map((one) => `import "${folder}/${one}.proto";\n`).join('')]),
    ...parts,
  ];
  writeFileSync(`proto/${folder}/${file}.proto`, text.join('\n'));
}

function messageText(name: string, fields: Readonly<Record<string, number>>): string {
  const message = messages.get(name);
  const head = commentText(message === undefined ? `No longer used.` : headOf(message));
  const { shape } = message ?? {};
  const described = new Map(shape?.fields.map((field) => [protoName(field.name), field]));
  const lines = Object.entries(fields)
    .sort(([, one], [, other]) => one - other)
    .map(([field, number]) => fieldText(name, described.get(field), field, number, message));
  if (lines.length === 0) return `${head}message ${name} {}\n`;
  if (shape?.oneof === undefined) return `${head}message ${name} {\n${lines.join('')}}\n`;
  return `${head}message ${name} {\n  oneof ${shape.oneof} {\n${lines.join('').replace(/^/gm, '  ').trimEnd()}\n  }\n}\n`;
}

function headOf({ name, operation, shape }: ProtoMessage): string {
  if (operation !== undefined) return `The input of \`${name.replace(/Request$/, '')}\`.`;
  const found = comments.get(name);
  if (found !== undefined) return found;
  if (shape.isSoleField) return 'Holds one value, where protobuf needs a message.';
  throw new TypeError(`the schema of the message ${name} needs a comment`);
}

function fieldText(
  message: string,
  field: FieldShape | undefined,
  name: string,
  number: number,
  origin: ProtoMessage | undefined,
): string {
  if (field === undefined) return `  reserved ${number};\n  reserved "${name}";\n`;
  const label = field.hasLabel && !numbers.unlabelled.includes(`${message}.${name}`) ? 'optional ' : '';
  return `${commentText(fieldComment(message, field, origin?.operation), '  ')}  ${label}${typeOf(field)} ${name} = ${number};\n`;
}

function fieldComment(message: string, { name, value }: FieldShape, operation: string | undefined): string {
  const said =
    comments.get(`${message}.${name}`) ??
    comments.get(`${operation}().${name}`) ??
    describedField(operation, name) ??
    '';
  return [said, value.kind === 'scalar' ? typeComment(value, said) : ''].filter((part) => part !== '').join(' ');
}

/** What the type says and the comment does not. */
function typeComment({ scalar, choices }: FieldShape['value'] & { kind: 'scalar' }, said: string): string {
  if (scalar === scalars.seconds) return /second/i.test(said) ? '' : 'Unix seconds.';
  if (scalar === scalars.chainId) return said === '' ? 'EIP-155 chain id.' : '';
  if (scalar === scalars.address) return said === '' ? 'Checksummed address.' : '';
  const isNamed = choices === undefined || choices.length > 12 || said.includes('`') || !choices.every((one) => one);
  return isNamed ? '' : `One of ${choices.map((one) => `\`${one}\``).join(', ')}.`;
}

/** What the API contract says of a field of a request. */
function describedField(operation: string | undefined, name: string): string | undefined {
  const described = operationList.find((one) => one.name === operation);
  const schemas = [described?.pathParams, described?.query, described?.body];
  const fields = schemas.map((schema) => (schema instanceof z.ZodObject ? schema.shape[name] : undefined));
  return (fields.find((field) => field !== undefined) as z.ZodType | undefined)?.description;
}

function responseText(name: string): string {
  const method = methods.find(({ rpc }) => `${rpc}Request` === name);
  if (method?.value === undefined) return '';
  return [
    `// What \`${method.rpc}\` returns.`,
    `message ${method.rpc}Response {`,
    '  // One of the two is always set.',
    '  oneof result {',
    `    ${method.value} value = 1;`,
    '    Refusal refusal = 2;',
    '  }',
    '}',
    '',
  ].join('\n');
}

function serviceText(all: readonly ProtoMethod[]): string {
  const lines = all.map(({ name, rpc }) => {
    const text = comments.get(`${name}()`);
    if (text === undefined) throw new TypeError(`the operation ${name} needs a comment in core/domain/operations`);
    return `${commentText(text, '  ')}  rpc ${rpc}(${rpc}Request) returns (${rpc}Response);\n`;
  });
  return `${serviceComment.map((line) => (line === '' ? '//\n' : commentText(line))).join('')}service CoreService {\n${lines.join('')}}\n`;
}

/** The files of the messages that these messages need, or of these where they are in other files. */
function importsOf(names: readonly string[], file?: string): readonly string[] {
  const needed = names.flatMap((name) => {
    if (file === undefined) return [name];
    const fields = messages.get(name)?.shape.fields.map((field) => typeOf(field).replace('repeated ', '')) ?? [];
    const method = methods.find(({ rpc }) => `${rpc}Request` === name);
    return [...fields, ...(method?.value === undefined ? [] : [method.value, 'Refusal'])];
  });
  const files = needed.flatMap((name) =>
    Object.keys(numbers.files).filter((one) => name in (numbers.files[one] ?? {})),
  );
  return [...new Set(files)].filter((one) => one !== file).sort();
}

function commentText(text: string, indent = ''): string {
  if (text === '') return '';
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (`${indent}// ${line} ${word}`.length > 120) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => `${indent}// ${line}\n`).join('');
}
