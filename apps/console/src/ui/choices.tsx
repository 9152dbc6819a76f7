import { cn } from './cn.js';
import { Check } from './field.js';

interface ChoicesProps<Choice extends string> {
  readonly legend: string;
  /** Each with what it stands for, in a sentence, where its name does not say it. */
  readonly options: readonly (readonly [choice: Choice, hint?: string])[];
  readonly chosen: readonly Choice[];
  readonly onChoose: (chosen: readonly Choice[]) => void;
  /** How they stand beside each other. */
  readonly className: string;
}

/** Some of a few things, each with a box to check. */
export function Choices<Choice extends string>({
  legend,
  options,
  chosen,
  onChoose,
  className,
}: ChoicesProps<Choice>) {
  return (
    <fieldset className={cn('grid gap-2', className)}>
      <legend className="mb-1 text-xs font-medium text-soft">{legend}</legend>
      {options.map(([choice, hint]) => (
        <Check
          key={choice}
          label={choice}
          {...(hint !== undefined && { hint })}
          checked={chosen.includes(choice)}
          onCheck={(isChecked) =>
            onChoose(isChecked ? [...chosen, choice] : chosen.filter((one) => one !== choice))
          }
        />
      ))}
    </fieldset>
  );
}
