import { operationList } from '@tollfree/contract/operations';
import { z } from 'zod';
import type { FieldShape, ValueShape } from '../../core/grpc/codec/message-shape.ts';
import { scalars } from '../../core/grpc/codec/scalars.ts';
import { type FieldNumbers, protoName } from './field-numbers.ts';
import { type ProtoMessage, type ProtoMethod, typeOf } from './proto-messages.ts';
import type { Comments } from './read-comments.ts';

/** The input of the .proto files. */
export type ProtoSource = {
  readonly methods: readonly ProtoMethod[];
  readonly messages: ReadonlyMap<string, ProtoMessage>;
  readonly numbers: FieldNumbers;
  readonly comments: Comments;
};

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

/** The text of a file of messages. */
export function protoFile(file: string, source: ProtoSource): string {
  const names = Object.keys(source.numbers.files[file] ?? {});
  const { methods } = source;
  const parts = names.flatMap((name) => {
    const method = methods.find(({ rpc }) => `${rpc}Request` === name);
    return [messageText(name, file, source), ...(method === undefined ? [] : [responseText(method)])];
  });
  const needed = names.flatMap((name) => neededBy(name, source));
  return fileText(
    filesOf(needed, source).filter((one) => one !== file),
    parts.filter((part) => part !== ''),
  );
}

/** The text of the file with the service. */
export function serviceFile(source: ProtoSource): string {
  const { methods } = source;
  const requests = methods.map(({ rpc }) => `${rpc}Request`);
  return fileText(filesOf(requests, source), [serviceText(source)]);
}

function fileText(imports: readonly string[], parts: readonly string[]): string {
  const head =
    '// Written by `npm run generate` from the schemas of core/domain and the numbers of proto/field-numbers.json.';
  return [
    `${head}\nsyntax = "proto3";\n`,
    'package tollfree.core.v1;\n',
    ...(imports.length === 0 ? [] : [imports.map((one) => `import "tollfree/core/v1/${one}.proto";\n`).join('')]),
    ...parts,
  ].join('\n');
}

/** The messages of other files that a message and its response need. */
function neededBy(name: string, { messages, methods }: ProtoSource): readonly string[] {
  const fields = messages.get(name)?.shape.fields.map((field) => typeOf(field).replace('repeated ', '')) ?? [];
  const method = methods.find(({ rpc }) => `${rpc}Request` === name);
  return [...fields, ...(method?.value === undefined ? [] : [method.value, 'Refusal'])];
}

function filesOf(names: readonly string[], { numbers }: ProtoSource): readonly string[] {
  const files = Object.entries(numbers.files);
  const found = names.flatMap((name) => files.filter(([, messages]) => name in messages).map(([file]) => file));
  return [...new Set(found)].sort();
}

function messageText(name: string, file: string, source: ProtoSource): string {
  const fields = source.numbers.files[file]?.[name] ?? {};
  const message = source.messages.get(name);
  const head = commentText(message === undefined ? 'No longer used.' : headOf(message, source.comments));
  const { shape } = message ?? {};
  const described = new Map(shape?.fields.map((field) => [protoName(field.name), field]));
  const lines = Object.entries(fields)
    .sort(([, one], [, other]) => one - other)
    .map(([field, number]) => fieldText({ message: name, name: field, number, field: described.get(field) }, source));
  if (lines.length === 0) return `${head}message ${name} {}\n`;
  if (shape?.oneof === undefined) return `${head}message ${name} {\n${lines.join('')}}\n`;
  return `${head}message ${name} {\n  oneof ${shape.oneof} {\n${lines.join('').replace(/^/gm, '  ').trimEnd()}\n  }\n}\n`;
}

function headOf({ name, operation, shape }: ProtoMessage, comments: Comments): string {
  if (operation !== undefined) return `The input of \`${name.replace(/Request$/, '')}\`.`;
  const found = comments.get(name);
  if (found !== undefined) return found;
  if (shape.isSoleField) return 'Holds one value, where protobuf needs a message.';
  throw new TypeError(`the schema of the message ${name} needs a comment`);
}

type NumberedField = {
  readonly message: string;
  /** In protobuf. */
  readonly name: string;
  readonly number: number;
  /** Absent if no schema has it any more: its number stays reserved. */
  readonly field: FieldShape | undefined;
};

function fieldText({ message, name, number, field }: NumberedField, source: ProtoSource): string {
  if (field === undefined) return `  reserved ${number};\n  reserved "${name}";\n`;
  const label = field.hasLabel && !source.numbers.unlabelled.includes(`${message}.${name}`) ? 'optional ' : '';
  const comment = commentText(fieldComment(message, field, source), '  ');
  return `${comment}  ${label}${typeOf(field)} ${name} = ${number};\n`;
}

function fieldComment(message: string, field: FieldShape, { messages, comments }: ProtoSource): string {
  const { name, value, description } = field;
  const operation = messages.get(message)?.operation;
  const said =
    comments.get(`${message}.${name}`) ??
    comments.get(`${operation}().${name}`) ??
    describedField(operation, name) ??
    description ??
    '';
  return [said, suffixComment(name, said), typeComment(value, said)].filter((part) => part !== '').join(' ');
}

/** What the API's description does not say, because it has the field without the suffix. */
function suffixComment(name: string, said: string): string {
  if (name.endsWith('UsdMicros') && !/millionth/i.test(said)) return 'Millionths of a USD.';
  return name.endsWith('Json') && !said.includes('JSON') ? 'JSON text.' : '';
}

/** The parts of the type that the comment does not mention. */
function typeComment(value: ValueShape, said: string): string {
  if (value.kind === 'list') return value.item.kind === 'scalar' ? choicesComment('Each is one', value.item, said) : '';
  if (value.kind !== 'scalar') return '';
  if (value.scalar === scalars.seconds) return /second/i.test(said) ? '' : 'Unix seconds.';
  if (value.scalar === scalars.chainId && said === '') return 'EIP-155 chain id.';
  if (value.scalar === scalars.address && said === '') return 'Checksummed address.';
  return choicesComment('One', value, said);
}

/** Longer lists of choices are only on a reference page. */
const maxListedChoices = 12;

function choicesComment(start: string, { choices = [] }: ValueShape & { kind: 'scalar' }, said: string): string {
  const isListed = choices.length > 0 && choices.length <= maxListedChoices && !said.includes('`');
  const texts = choices.filter((one) => typeof one === 'string' && one !== '').map((one) => `\`${one}\``);
  return isListed && texts.length === choices.length ? `${start} of ${texts.join(', ')}.` : '';
}

/** The API contract's description of a request field. */
function describedField(operation: string | undefined, name: string): string | undefined {
  const described = operationList.find((one) => one.name === operation);
  const schemas = [described?.pathParams, described?.query, described?.body];
  const fields = schemas.map((schema) => (schema instanceof z.ZodObject ? schema.shape[name] : undefined));
  return (fields.find((field) => field !== undefined) as z.ZodType | undefined)?.description;
}

function responseText({ rpc, value }: ProtoMethod): string {
  if (value === undefined) return '';
  return [
    `// What \`${rpc}\` returns.`,
    `message ${rpc}Response {`,
    '  // One of the two is always set.',
    '  oneof result {',
    `    ${value} value = 1;`,
    '    Refusal refusal = 2;',
    '  }',
    '}',
    '',
  ].join('\n');
}

function serviceText({ methods, comments }: ProtoSource): string {
  const lines = methods.map(({ name, rpc }) => {
    const text = comments.get(`${name}()`);
    if (text === undefined) throw new TypeError(`the operation ${name} needs a comment in core/domain/operations`);
    return `${commentText(text, '  ')}  rpc ${rpc}(${rpc}Request) returns (${rpc}Response);\n`;
  });
  const head = serviceComment.map((line) => (line === '' ? '//\n' : commentText(line))).join('');
  return `${head}service CoreService {\n${lines.join('')}}\n`;
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
