import type { ManagementClient } from '@tollfree/sdk/management';
import type { z } from 'zod';

/** What tools work with. */
export type ToolContext = {
  readonly client: ManagementClient;
  /** Where the service is reached, for addresses in answers. */
  readonly baseUrl: string;
  /** The apiKey of the paymaster that a call means by its name or id; of the usual one where it names none. */
  apiKeyOf(paymaster: string | undefined): Promise<string>;
};

/** One thing that an assistant can do. */
export type Tool = {
  readonly name: string;
  /** For the assistant, which chooses by it. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** `arguments` are those that `input` accepted. What it answers is sent as JSON. */
  readonly run: (context: ToolContext, given: never) => Promise<unknown>;
};

/** Ties the input of a tool to what it runs with. */
export function tool<Input extends z.ZodObject>(parts: {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly run: (context: ToolContext, given: z.output<Input>) => Promise<unknown>;
}): Tool {
  return parts;
}
