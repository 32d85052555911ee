import { z } from 'zod';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Any JSON value. Nothing about its meaning is checked here: a JSON Schema of the tool does that. */
export const jsonValue: z.ZodType<JsonValue> = z.json() as z.ZodType<JsonValue>;
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), jsonValue);
