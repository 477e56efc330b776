import { expect, test } from 'vitest';
import { z } from 'zod';
import { fieldsOf, message, text } from '../../core/base/message-schema.ts';
import { shapeOf } from '../../core/grpc/codec/message-shape.ts';
import { type FieldNumbers, readFieldNumbers, withNewNumbers } from '../../tools/proto/field-numbers.ts';
import { protoFile } from '../../tools/proto/proto-file.ts';
import { protoMessages } from '../../tools/proto/proto-messages.ts';

const Coin = message('Coin', { name: text, side: z.enum(['heads', 'tails']).exactOptional() });
const comments = new Map([
  ['Coin', 'Money that is thrown.'],
  ['Coin.side', 'Absent while it is in the air.'],
]);

function sourceOf(schema: z.ZodType, numbers: Partial<FieldNumbers> = {}) {
  const shape = shapeOf(schema);
  const messages = new Map([['Coin', { name: 'Coin', file: 'coin', shape, operation: undefined }]]);
  const all = withNewNumbers({ about: '', files: {}, unlabelled: [], ...numbers }, messages.values());
  return { methods: [], messages, numbers: all, comments };
}

test('a new message gets its numbers in the order of its fields, and says what its schema says', () => {
  const source = sourceOf(Coin);
  expect(source.numbers.files).toEqual({ coin: { Coin: { name: 1, side: 2 } } });
  const expected = `// Money that is thrown.
message Coin {
  string name = 1;
  // Absent while it is in the air. One of \`heads\`, \`tails\`.
  optional string side = 2;
}
`;
  expect(protoFile('coin', source)).toContain(expected);
});

test('a field that no schema has any more keeps its number, and a new one gets the next', () => {
  const Later = message('Coin', { ...fieldsOf(Coin, 'side'), ownerName: text });
  const source = sourceOf(Later, sourceOf(Coin).numbers);
  expect(source.numbers.files).toEqual({ coin: { Coin: { name: 1, side: 2, owner_name: 3 } } });
  expect(protoFile('coin', source)).toContain('  reserved 1;\n  reserved "name";\n');
  expect(protoFile('coin', source)).toContain('  string owner_name = 3;\n');
});

test('a message stays in the file that has it', () => {
  const source = sourceOf(Coin, { files: { money: { Coin: { side: 7 } } } });
  expect(source.numbers.files).toEqual({ money: { Coin: { side: 7, name: 8 } } });
});

test('two fields that got one number on two branches are found', () => {
  expect(() => sourceOf(Coin, { files: { coin: { Coin: { name: 1, side: 1 } } } })).toThrow('two fields of Coin');
});

test('a message without a comment is refused', () => {
  expect(() => protoFile('coin', { ...sourceOf(Coin), comments: new Map() })).toThrow('Coin needs a comment');
});

test('all messages of the core have their numbers', () => {
  const numbers = readFieldNumbers();
  expect(withNewNumbers(numbers, protoMessages().messages.values())).toEqual(numbers);
});
