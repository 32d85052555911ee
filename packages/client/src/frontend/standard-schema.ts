/** The part of Standard Schema V1 (standardschema.dev) that is needed to check arguments. Zod, Valibot and ArkType have it. */
export type StandardSchema<Output> = {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
};

type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };
type SchemaIssue = {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
};

/** The checked value, which a schema may have completed, or what is wrong with it in one text. */
export async function checkWith<Output>(
  schema: StandardSchema<Output>,
  value: unknown,
): Promise<{ value: Output } | { problem: string }> {
  const result = await schema['~standard'].validate(value);
  return result.issues ? { problem: result.issues.map(toText).join('; ') } : { value: result.value };
}

function toText({ message, path = [] }: SchemaIssue): string {
  const place = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
  return place === '' ? message : `${place}: ${message}`;
}
