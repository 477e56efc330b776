import { type ExplainSponsorshipRequest, ExplainSponsorshipRequestSchema } from '@tollfree/contract/sponsorship';
import { mistake } from './terminal/cli-error.ts';
import { readNamedFile } from './terminal/read-file.ts';

/**
 * The request in a JSON file: a JSON-RPC request as it would be sent to the RPC endpoint, or its `params` alone. Whether
 * the params are right is for the service to say.
 */
export function readExplainFile(file: string): ExplainSponsorshipRequest {
  const text = readNamedFile(file, 'The request file');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw mistake(`The request file ${file} is not JSON.`, error);
  }
  const request = ExplainSponsorshipRequestSchema.safeParse(Array.isArray(content) ? { params: content } : content);
  if (!request.success) {
    throw mistake(`The request file ${file} is not valid: ${request.error.issues[0]?.message ?? 'it has no params'}.`);
  }
  // The service checks the params by the method's own schema and names the first field that is wrong.
  return request.data as ExplainSponsorshipRequest;
}
