import leven from 'leven';
import { z } from 'zod';
import { configSchema } from '../config/config-schema.ts';

/** The used part of JSON Schema. */
type Shape = {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  /** The schema of entries whose names the author chooses. */
  readonly additionalProperties?: Shape | boolean;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly const?: unknown;
};

/** How many letters of a key may differ from a known one: a third. */
const wrongLetters = (key: string) => Math.max(2, Math.floor(key.length / 3));

/** The allowed keys of a configuration at a path. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  return [...new Set(shapesAt(path).flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

/** The values of `kind` at a path with several alternatives. */
export function knownKinds(path: readonly PropertyKey[]): readonly string[] {
  return shapesAt(path).flatMap(({ properties }) => {
    const kind = properties?.kind?.const;
    return typeof kind === 'string' ? [kind] : [];
  });
}

export function knownBounds(path: readonly PropertyKey[]): { readonly least?: number; readonly most?: number } {
  const found = shapesAt(path).find(({ minimum, maximum }) => minimum !== undefined || maximum !== undefined);
  const { minimum: least, maximum: most } = found ?? {};
  return { ...(least === undefined ? {} : { least }), ...(most === undefined ? {} : { most }) };
}

/** The known word that a misspelled one resembles. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const [closest] = words
    .map((one) => ({ one, distance: leven(word.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  return closest !== undefined && closest.distance <= wrongLetters(word) ? closest.one : undefined;
}

let whole: Shape | undefined;

function shapesAt(path: readonly PropertyKey[]): readonly Shape[] {
  // JSON Schema's view of our schema suffices for keys, kinds and bounds.
  whole ??= z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Shape;
  return path.reduce<readonly Shape[]>(
    (shapes, step) => shapes.flatMap((shape) => inside(shape, step)),
    choices(whole),
  );
}

function inside({ properties, items, additionalProperties }: Shape, step: PropertyKey): readonly Shape[] {
  const named = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const next = typeof step === 'number' ? items : (properties?.[String(step)] ?? named);
  return next === undefined ? [] : choices(next);
}

function choices(shape: Shape): readonly Shape[] {
  return [shape, ...[...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].flatMap(choices)];
}
