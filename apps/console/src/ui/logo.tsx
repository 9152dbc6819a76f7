import icon from '../icon.svg';

export function Logo() {
  return (
    <span className="flex items-center gap-2 font-semibold tracking-tight">
      <img src={icon} alt="" className="size-6" />
      Loci
    </span>
  );
}
