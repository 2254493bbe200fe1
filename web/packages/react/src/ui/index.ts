export { Badge, type Tone } from "./badge.js";
export { Button, type ButtonProps, IconButton, type IconButtonProps } from "./button.js";
export { Card, type CardProps, Skeleton } from "./card.js";
export { Icon, type IconName, isIconName } from "./icon.js";
export { LazySelect } from "./lazy-select.js";
export { Select, type SelectOption, type SelectProps } from "./select.js";
export { Spinner } from "./spinner.js";
