/** How the page looks and speaks. */
import { Icon, useMessages } from "@forestage/react";
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from "react-aria-components";
import { type Theme, useSettings } from "../settings.js";
import { forgetKey, useStage } from "../stage.js";
import { appWords } from "../words.js";

export function SettingsMenu() {
  const words = useMessages(appWords);
  const { theme, locale, direction, set } = useSettings();
  const keys = useStage(({ server }) => server?.keys === true);
  return (
    <MenuTrigger>
      <Button className="fs-button fs-icon-button" data-kind="quiet" data-size="md" aria-label={words.settings}>
        <Icon name="gear" />
      </Button>
      <Popover className="menu-popover" placement="bottom end">
        <Menu className="menu" shouldCloseOnSelect={false}>
          <MenuSection selectionMode="single" disallowEmptySelection selectedKeys={[theme]} onSelectionChange={(keys) => set({ theme: first(keys) as Theme })}>
            <Header>{words.theme}</Header>
            <MenuItem id="light"><Icon name="sun" /> {words.light}</MenuItem>
            <MenuItem id="dark"><Icon name="moon" /> {words.dark}</MenuItem>
            <MenuItem id="system"><Icon name="system" /> {words.system}</MenuItem>
          </MenuSection>
          <MenuSection selectionMode="single" disallowEmptySelection selectedKeys={[locale]} onSelectionChange={(keys) => set({ locale: first(keys) === "nl" ? "nl" : "en" })}>
            <Header>{words.language}</Header>
            <MenuItem id="en"><Icon name="language" /> {words.english}</MenuItem>
            <MenuItem id="nl"><Icon name="language" /> {words.dutch}</MenuItem>
          </MenuSection>
          <MenuSection selectionMode="single" disallowEmptySelection selectedKeys={[direction]} onSelectionChange={(keys) => set({ direction: first(keys) === "rtl" ? "rtl" : "ltr" })}>
            <Header>{words.direction}</Header>
            <MenuItem id="ltr"><Icon name="chevron" /> {words.ltr}</MenuItem>
            <MenuItem id="rtl"><Icon name="back" /> {words.rtl}</MenuItem>
          </MenuSection>
          {keys && (
            <MenuItem className="menu-danger" onAction={forgetKey}>
              <Icon name="close" /> {words.logOut}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function first(keys: "all" | Set<unknown>): string {
  return keys === "all" ? "" : String([...keys][0] ?? "");
}
