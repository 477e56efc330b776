import type { Argument, ArgumentType, ValueType } from './argument-type.ts';
import type { ArgumentValue } from './read-call-arguments.ts';

/** Into a tuple by position, or into every element of a list. */
type Step = number | 'every';

/** The position of a value in the arguments of a call. */
type ArgumentPath = { readonly steps: readonly Step[]; readonly type: ValueType };

/** Most positions or names that an error lists. */
const maxNamed = 20;
const isList = 'must have [] after each list, for every element of it';
const segmentForm = /^([^[\]]*)((?:\[\])*)$/;

/**
 * Finds an argument by its path: names or positions of parameters and tuple components, separated by points, with `[]` for
 * every element of a list (`params.recipient`, `0.1`, `amounts[]`). An error is the second half of a sentence.
 */
export function findArgument(parameters: readonly Argument[], text: string): ArgumentPath | string {
  const steps: Step[] = [];
  let type: ArgumentType = { kind: 'tuple', components: parameters, isDynamic: false };
  for (const segment of text.split('.')) {
    const [, key, lists = ''] = segmentForm.exec(segment) ?? [];
    if (key === undefined || key === '')
      return 'must be names or positions with points between them, like params.amount';
    if (type.kind !== 'tuple') return type.kind === 'array' ? isList : 'must end at a value, and continues after one';
    const index = indexOf(type.components, key);
    if (typeof index === 'string') return index;
    type = (type.components[index] as Argument).type;
    steps.push(index);
    for (let depth = 0; depth < lists.length / 2; depth++) {
      if (type.kind !== 'array') return 'must have [] only after lists';
      type = type.element;
      steps.push('every');
    }
  }
  if (type.kind === 'array') return isList;
  if (type.kind === 'tuple') return `must continue after the tuple with one of ${keysOf(type.components)}`;
  return { steps, type };
}

function indexOf(components: readonly Argument[], key: string): number | string {
  if (/^\d{1,9}$/.test(key)) {
    return Number(key) < components.length ? Number(key) : `must be a position below ${components.length}`;
  }
  const found = components.flatMap(({ name }, index) => (name === key ? [index] : []));
  const [index, ...others] = found;
  if (index === undefined) return `must be one of ${keysOf(components)}`;
  return others.length === 0 ? index : `must be a position: ${found.join(' and ')} have the same name`;
}

function keysOf(components: readonly Argument[]): string {
  const keys = components.slice(0, maxNamed).map(({ name }, index) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : index));
  return [...keys, ...(components.length > maxNamed ? ['…'] : [])].join(', ');
}

/** The values at a path in the arguments of a call. Empty if a list on the way is empty. */
export function valuesAt(
  values: readonly ArgumentValue[],
  { steps }: Pick<ArgumentPath, 'steps'>,
): readonly ArgumentValue[] {
  let found: readonly ArgumentValue[] = [values];
  for (const step of steps) {
    found = found.flatMap((value) => {
      const inside = value as readonly ArgumentValue[]; // the path was resolved against these types
      return step === 'every' ? inside : inside.slice(step, step + 1);
    });
  }
  return found;
}
