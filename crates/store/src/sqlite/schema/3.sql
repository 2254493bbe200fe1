-- How long a body is that LZ4 made shorter; nothing for one that lies as it is.
ALTER TABLE block ADD COLUMN unpacked INTEGER;
