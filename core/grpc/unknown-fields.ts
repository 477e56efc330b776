import type { Message } from '@bufbuild/protobuf';

/**
 * Names a field of a request that this process does not know, because its caller runs a later version. Dropping the field could
 * drop a limit.
 */
export function findUnknownField(message: Message): string | undefined {
  const [unknown] = message.$unknown ?? [];
  if (unknown !== undefined) return `${message.$typeName} has no field ${unknown.no}`;
  for (const value of Object.values(message)) {
    const found = findInValue(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInValue(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return undefined;
  if ('$typeName' in value) return findUnknownField(value as Message);
  // A list, a map, or the chosen case of a oneof.
  for (const part of Object.values(value)) {
    const found = findInValue(part);
    if (found !== undefined) return found;
  }
  return undefined;
}
