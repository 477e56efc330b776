import { z } from 'zod';

/** An object of the OpenAPI document, as it is written. */
export type OpenApiNode = { [key: string]: unknown };

/** A zod schema in the dialect of OpenAPI 3.0, for requests as sent and answers as received. */
export function openApiSchema(schema: z.ZodType, direction: 'request' | 'response'): OpenApiNode {
  const { $schema: _dialect, ...node } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: direction === 'request' ? 'input' : 'output',
    unrepresentable: 'any',
  });
  return withoutAdditionalProperties(node) as OpenApiNode;
}

/**
 * Answers may gain fields, so no schema forbids unknown ones: the document leaves `additionalProperties: false` out.
 */
function withoutAdditionalProperties(node: unknown): unknown {
  if (Array.isArray(node)) {
    return node.map(withoutAdditionalProperties);
  }
  if (typeof node !== 'object' || node === null) {
    return node;
  }
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !(key === 'additionalProperties' && value === false))
      .map(([key, value]) => [key, withoutAdditionalProperties(value)]),
  );
}
