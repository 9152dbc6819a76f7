import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';

const WORDS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** An environment variable that is `true` or `1`, `false` or `0`; anything else is refused. */
export const IsEnvBoolean = (): PropertyDecorator => (target, key) => {
  const read = ({ obj, value }: { obj: Record<string | symbol, unknown>; value: unknown }): unknown => {
    const given = obj[key];
    return typeof given === 'string' ? (WORDS[given] ?? given) : value;
  };
  Transform(read)(target, key);
  IsBoolean({ message: `${String(key)} must be true or false` })(target, key);
};
