//! Pages of text as PDF: as much of the format as a report needs.

use std::fmt::Write;

/// A line of text.
pub(super) struct Line {
    pub(super) text: String,
    pub(super) size: u32,
    pub(super) bold: bool,
}

impl Line {
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), size: 10, bold: false }
    }

    pub(super) fn heading(text: impl Into<String>, size: u32) -> Self {
        Self { text: text.into(), size, bold: true }
    }
}

/// A4, in points.
const WIDTH: u32 = 595;
const HEIGHT: u32 = 842;
const MARGIN: u32 = 56;

/// The objects before the pages: the catalog, the list of pages, two fonts.
const FIRST_PAGE: usize = 5;

/// A document of these lines; long ones are broken.
pub(super) fn write(lines: &[Line]) -> Vec<u8> {
    let pages = pages(lines);
    let kids: String = (0..pages.len()).fold(String::new(), |mut kids, page| {
        let _ = write!(kids, "{} 0 R ", FIRST_PAGE + 2 * page);
        kids
    });
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [ {kids}] /Count {} >>", pages.len()).into_bytes(),
        font("Helvetica"),
        font("Helvetica-Bold"),
    ];
    for (number, content) in pages.iter().enumerate() {
        let stream = FIRST_PAGE + 2 * number + 1;
        objects.push(
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents {stream} 0 R \
                 /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>"
            )
            .into_bytes(),
        );
        let mut object = format!("<< /Length {} >>\nstream\n", content.len()).into_bytes();
        object.extend_from_slice(content);
        object.extend_from_slice(b"\nendstream");
        objects.push(object);
    }
    assemble(&objects)
}

fn font(name: &str) -> Vec<u8> {
    format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>").into_bytes()
}

/// The objects one after another, and the table that says where each begins.
fn assemble(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut table = String::from("0000000000 65535 f \n");
    for (index, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", file.len());
        file.extend_from_slice(format!("{} 0 obj\n", index + 1).as_bytes());
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let (start, count) = (file.len(), objects.len() + 1);
    let end = format!(
        "xref\n0 {count}\n{table}trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    file.extend_from_slice(end.as_bytes());
    file
}

/// What is drawn on each page.
fn pages(lines: &[Line]) -> Vec<Vec<u8>> {
    let mut pages = vec![Vec::new()];
    let mut y = HEIGHT - MARGIN;
    for line in lines {
        for piece in broken(&line.text, line.size) {
            y = y.saturating_sub(line.size + 5);
            if y < MARGIN {
                pages.push(Vec::new());
                y = HEIGHT - MARGIN - line.size;
            }
            if let Some(page) = pages.last_mut() {
                let font = if line.bold { "F2" } else { "F1" };
                page.extend_from_slice(format!("BT /{font} {} Tf {MARGIN} {y} Td (", line.size).as_bytes());
                page.extend(encoded(&piece));
                page.extend_from_slice(b") Tj ET\n");
            }
        }
    }
    pages
}

/// A text in lines that fit. A letter of these fonts is about half as wide as it is high.
fn broken(text: &str, size: u32) -> Vec<String> {
    let room = usize::try_from((WIDTH - 2 * MARGIN) * 2 / size).unwrap_or(80);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let is_full = lines.last().is_some_and(|line| line.chars().count() + word.chars().count() >= room);
        if is_full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// A text in the letters of the fonts, with what means something to PDF marked as letters.
fn encoded(text: &str) -> Vec<u8> {
    text.chars()
        .flat_map(|sign| {
            let byte = match sign {
                '€' => 0x80,
                '…' => 0x85,
                '‘' => 0x91,
                '’' => 0x92,
                '“' => 0x93,
                '”' => 0x94,
                '•' => 0x95,
                '–' => 0x96,
                '—' => 0x97,
                _ => u8::try_from(sign).ok().filter(|byte| !(0x7f..0xa0).contains(byte)).unwrap_or(b'?'),
            };
            let escape = matches!(byte, b'(' | b')' | b'\\').then_some(b'\\');
            escape.into_iter().chain([byte])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_where_each_object_begins_and_long_reports_have_pages() {
        let lines: Vec<_> = (0..120).map(|number| Line::plain(format!("Regel {number} (één) "))).collect();
        let file = write(&lines);
        let text: String = file.iter().map(|byte| char::from(*byte)).collect();
        let entries: Vec<usize> = text
            .lines()
            .filter(|line| line.ends_with(" 00000 n "))
            .map(|line| line[..10].parse().expect("a number"))
            .collect();
        assert_eq!(entries.len(), 4 + 2 * 3, "three pages");
        for (index, offset) in entries.iter().enumerate() {
            assert!(file[*offset..].starts_with(format!("{} 0 obj", index + 1).as_bytes()));
        }
        assert!(text.contains("\\(\u{e9}\u{e9}n\\)") && text.ends_with("%%EOF\n"));
    }
}
