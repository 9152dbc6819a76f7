/** A setting of a provider, as a form asks for it. */
export interface SettingField {
  readonly key: string;
  readonly label: string;
  readonly type: 'text' | 'secret' | 'number' | 'choice' | 'list' | 'json';
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  readonly hint?: string;
  /** The first is what counts when nothing is picked. */
  readonly choices?: readonly (string | readonly [value: string, label: string])[];
  /** Blanks around it count. */
  readonly isVerbatim?: boolean;
}

export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly fields: readonly SettingField[];
}

export const text = (key: string, label: string, more: Partial<SettingField> = {}): SettingField => ({
  key,
  label,
  type: 'text',
  ...more,
});

const SECRET_HINT = 'Stored encrypted and never shown. $LOCI_MODEL_SECRET_… takes it from the environment.';
export const secret = (key: string, label: string, more: Partial<SettingField> = {}): SettingField =>
  text(key, label, { type: 'secret', hint: SECRET_HINT, ...more });
export const number = (key: string, label: string, more: Partial<SettingField> = {}): SettingField =>
  text(key, label, { type: 'number', ...more });

export const OPENAI_SERVER = text('base_url', 'Address', {
  placeholder: 'https://api.openai.com/v1',
  hint: 'Of another server that speaks the same protocol.',
});
export const PRICES = [
  number('input_price_per_million', 'Price of a million input tokens'),
  number('output_price_per_million', 'Price of a million output tokens'),
];
/** How replies are written; what is left empty is as the provider has it. */
export const generation = (maxTemperature: number, efforts: readonly string[]): readonly SettingField[] => [
  number('temperature', 'Temperature', { hint: `0 to ${maxTemperature}; some models take none.` }),
  number('max_output_tokens', 'Longest reply in tokens'),
  text('reasoning_effort', 'Reasoning effort', {
    type: 'choice',
    choices: [['', 'as the model has it'], ...efforts],
  }),
];
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'];
export const address = (placeholder: string, more: Partial<SettingField> = {}): SettingField =>
  text('base_url', 'Address', { placeholder, ...more });
export const OPENAI_MODEL = [
  text('model', 'Model', { isRequired: true, placeholder: 'gpt-5-mini' }),
  secret('api_key', 'API key', { isRequired: true }),
  OPENAI_SERVER,
  ...generation(2, EFFORTS),
  ...PRICES,
];
export const DIMENSIONS = number('dimensions', 'Dimensions', { hint: 'Empty: as many as the model has.' });
export const AWS = [
  text('region', 'Region', { isRequired: true, placeholder: 'us-east-1' }),
  secret('aws_access_key_id', 'Access key id'),
  secret('aws_secret_access_key', 'Secret access key'),
  text('endpoint', 'Endpoint', { hint: 'Another address that speaks the protocol of Bedrock.' }),
];

/** What was typed, as the API takes it; what was left empty is absent. */
export function configOf(
  fields: readonly SettingField[],
  typed: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  for (const { key, type, isVerbatim = false } of fields) {
    const given = typed[key] ?? '';
    const value = isVerbatim ? given : given.trim();
    if (value.trim() === '') continue;
    if (type === 'number') config[key] = Number(value);
    else if (type === 'list')
      config[key] = value
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '');
    else config[key] = value;
  }
  return config;
}
